internal import Lensed

/// The difference of what a test expects from what is, part by part.
///
/// `Equatable` values are compared by `==`. Others are compared by reflection: by their types, and structs, tuples,
/// enums, optionals and collections field by field and element by element. What differs below a depth of eight is shown
/// as one difference. Functions are taken to be equal, and so are objects of one class that are not `Equatable`.
struct Sameness {
  /// The largest number of differences that are looked at.
  static let limit = 2_000
  /// The largest number of differences that are shown.
  private static let shown = 12

  let entries: [DifferenceEntry]

  init(expected: Any, actual: Any) {
    entries = StateDifference.entries(from: expected, to: actual, limit: Self.limit)
  }

  /// The differences at the paths that are wanted; `isWanted` is as `StateDifference` says.
  init(expected: Any, actual: Any, where isWanted: @escaping (_ path: [String]) -> Bool) {
    entries = StateDifference.entries(
      from: expected, to: actual, limit: Self.limit, where: isWanted)
  }

  init(_ entries: [DifferenceEntry]) {
    self.entries = entries
  }

  var isSame: Bool { entries.isEmpty }

  /// One line for each difference.
  func lines(root: String = "state") -> [String] {
    let lines = entries.prefix(Self.shown).map { entry in
      let place = entry.place.isEmpty ? root : entry.place
      return switch entry.kind {
      case .changed(let expected, let actual): "\(place): expected \(expected), is \(actual)"
      case .count(let expected, let actual):
        "\(place): expected \(expected) elements, has \(actual)"
      case .added(let value): "\(place): \(value) was not expected"
      case .removed(let value): "\(place): \(value) was expected, and is missing"
      }
    }
    let rest = entries.count - lines.count
    return lines + (rest > 0 ? ["… and \(rest) more"] : [])
  }
}
