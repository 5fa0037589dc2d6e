/// What part of a root value a lens covers, as far as that can be seen without running it.
///
/// Two kinds of evidence exist: a range of bytes (stored key paths), and a path of property names
/// (readable key paths and lenses with a `name:`). An empty path is the whole. A lens with neither
/// is *undecided*: it may cover anything.
@usableFromInline
struct Footprint: Sendable, Equatable {
  /// The names from the root down, or nil where they cannot be seen.
  var path: [String]?
  /// The bytes of the root that the lens covers, or nil where it has no fixed ones.
  var bytes: Range<Int>?
  /// The type of the part, for messages and for telling undecided lenses of one type apart.
  var typeName: String

  init(path: [String]?, bytes: Range<Int>?, typeName: String) {
    self.path = path
    self.bytes = bytes
    self.typeName = typeName
  }

  /// Nothing is known of where the part lies.
  var isUndecided: Bool { path == nil && bytes == nil }

  /// The part has no bytes, so it can neither be missed nor be written twice.
  var isEmpty: Bool { bytes?.isEmpty ?? false }

  /// The whole of the root.
  var isWhole: Bool { path?.isEmpty ?? false }

  /// The property as a person would write it.
  var name: String {
    guard let path else { return "an unnamed lens to \(typeName)" }
    return path.isEmpty ? "\\.self" : LensLabel.text(path)
  }

  /// How much of another footprint this one shares, as far as it can be proved.
  enum Overlap: Sendable {
    case none, same, partial, unknown
  }

  /// Compares two footprints in one root.
  func overlap(with other: Footprint) -> Overlap {
    if isEmpty || other.isEmpty { return .none }
    if let bytes, let others = other.bytes {
      guard bytes.overlaps(others) else { return .none }
      // A property that fills its struct has the struct's bytes and another name.
      return bytes == others && (path == other.path || path == nil || other.path == nil)
        ? .same : .partial
    }
    if let path, let others = other.path {
      if path == others { return .same }
      return path.starts(with: others) || others.starts(with: path) ? .partial : .none
    }
    return .unknown
  }
}
