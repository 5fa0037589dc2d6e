/// The part of a root value that a lens covers, as far as that can be seen without running it.
///
/// Two kinds of evidence exist: a range of bytes (stored key paths), and a path of property names (readable key paths
/// and lenses with a `name:`), which is empty for the whole. A lens with neither is *undecided*: it may cover anything.
///
/// Reading the names off a key path takes microseconds, so that is put off until bytes alone do not decide.
@usableFromInline
struct Footprint: Sendable, Equatable {
  enum Names: Sendable {
    case way(Way, valueType: any Any.Type)
    indirect case known(path: [String]?, typeName: String)
    /// Of several parts together; none of them has this case.
    case parts([Footprint])
  }

  let names: Names
  /// The bytes of the root that the lens covers, or nil where it has no fixed ones (`Lens.location(of:)` finds them).
  let bytes: Range<Int>?

  init(path: [String]?, bytes: Range<Int>?, typeName: String) {
    names = .known(path: path, typeName: typeName)
    self.bytes = bytes
  }

  init(way: Way, bytes: Range<Int>?, of valueType: any Any.Type) {
    names = .way(way, valueType: valueType)
    self.bytes = bytes ?? way.row?.bytes
  }

  init(ofAll parts: [Footprint]) {
    var all: [Footprint] = []
    for part in parts.flatMap(\.parts) where !all.contains(part) { all.append(part) }
    if all.count == 1 {
      self = all[0]
    } else {
      names = .parts(all)
      bytes = nil
    }
  }

  /// The parts that it was made of; itself, where it is of one.
  var parts: [Footprint] {
    if case .parts(let parts) = names { parts } else { [self] }
  }

  /// Whether one of its parts is meant; without an array, where it is of one.
  func containsPart(where isMeant: (Footprint) -> Bool) -> Bool {
    if case .parts(let parts) = names { parts.contains(where: isMeant) } else { isMeant(self) }
  }

  /// The way that it is made of; that to the whole, where its names were looked up.
  var way: Way {
    if case .way(let way, _) = names { way } else { .whole }
  }

  /// The row that it is of, where the part is an element of a collection, or lies in one.
  var row: Way.Row? { way.row }

  /// The property names from the root down, or nil where they cannot be seen.
  var path: [String]? {
    switch names {
    case .way(let way, _): way.names
    case .known(let path, _): path
    case .parts: nil
    }
  }

  /// The type of the part, for messages and for telling undecided lenses of one type apart.
  var typeName: String {
    switch names {
    case .way(_, let valueType): "\(valueType)"
    case .known(_, let typeName): typeName
    case .parts(let parts): "(\(parts.map(\.typeName).joined(separator: ", ")))"
    }
  }

  /// The same footprint with its names looked up, to be kept and compared often.
  var resolved: Footprint {
    switch names {
    case .known: self
    case .parts(let parts): Footprint(ofAll: parts.map(\.resolved))
    case .way: Footprint(path: path, bytes: bytes, typeName: typeName)
    }
  }

  func named(_ path: [String]) -> Footprint {
    Footprint(path: path, bytes: bytes, typeName: typeName)
  }

  /// Neither bytes nor names show where the part lies.
  var isUndecided: Bool {
    if case .parts(let parts) = names { return parts.contains(where: \.isUndecided) }
    return bytes == nil && path == nil
  }

  /// The part has no bytes, so it can neither be missed nor be written twice.
  var isEmpty: Bool { bytes?.isEmpty ?? false }

  var isWhole: Bool {
    if case .parts(let parts) = names { return parts.contains(where: \.isWhole) }
    if row != nil { return false }
    // A stored part that has a step is a property.
    if bytes != nil, case .way(let way, _) = names { return way.isEmpty }
    return path?.isEmpty ?? false
  }

  /// The property as a person would write it.
  var name: String {
    guard let path else { return "an unnamed lens to \(typeName)" }
    return path.isEmpty ? "\\.self" : Way.text(path)
  }

  @usableFromInline
  static func == (left: Footprint, right: Footprint) -> Bool {
    if case .parts(let parts) = left.names, case .parts(let others) = right.names {
      return parts == others
    }
    return left.bytes == right.bytes && left.row == right.row && left.path == right.path
      && left.typeName == right.typeName
  }
}

// MARK: Lifting

extension Footprint {
  /// The footprint of the same part in a larger root, of which a lens focuses on the root of this one.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> Footprint {
    lifted(along: lens.way, at: lens.location.offset)
  }

  /// The same, where a way leads to the root of this one, which lies at `start` if it has a fixed place.
  func lifted(along outer: Way, at start: Int?) -> Footprint {
    let moved = start.flatMap { bytes?.moved(by: $0) }
    switch names {
    case .way(let way, let valueType):
      return Footprint(way: outer.appending(way, at: start), bytes: moved, of: valueType)
    case .parts(let parts):
      return Footprint(ofAll: parts.map { $0.lifted(along: outer, at: start) })
    case .known(let path, let typeName):
      return Footprint(
        path: outer.names.flatMap { outer in path.map { outer + $0 } }, bytes: moved,
        typeName: typeName)
    }
  }
}
