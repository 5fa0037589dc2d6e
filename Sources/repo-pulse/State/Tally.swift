import Lensed

/// How often one of many was met: a day, an hour, a word.
struct Tally<ID: Hashable & Sendable & Codable>: Identifiable, Equatable, Sendable, Codable {
  let id: ID
  var count = 0
}

extension Entities {
  /// Counts one more.
  mutating func tally<Key>(_ key: Key) where Element == Tally<Key> {
    if modify(id: key, { $0.count += 1 }) == nil { append(Tally(id: key, count: 1)) }
  }
}
