/// One field or element that differs.
package struct DifferenceEntry: Sendable {
  /// How it differs.
  package enum Kind: Sendable, Hashable {
    case changed(old: String, new: String)
    case count(old: Int, new: Int)
    case added(String)
    case removed(String)
  }

  /// The names of the fields on the way; of an element, its place between brackets.
  package let path: [String]
  /// The path, and below it what of a collection differs: its `count`, or the member of a set.
  package let part: [String]
  package let kind: Kind

  var isCount: Bool { if case .count = kind { true } else { false } }

  /// The path as a person would write it.
  package var place: String { LensLabel.text(path) }

  /// The path, and both values.
  package var line: String {
    let place = place.isEmpty ? "state" : place
    return switch kind {
    case .changed(let old, let new): "\(place): \(old) → \(new)"
    case .count(let old, let new): "\(place): \(old) → \(new) elements"
    case .added(let value): "\(place): added \(value)"
    case .removed(let value): "\(place): removed \(value)"
    }
  }
}
