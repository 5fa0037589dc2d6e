/// A part of a store's state, with the types of both erased: what a scope, or a lifted value, is about.
struct StatePlace: Sendable {
  private enum Location: Sendable {
    /// The part lies so many bytes behind the start of the state.
    case offset(Int)
    /// The part is computed, and lent for the length of a call.
    case lent(@Sendable (_ state: StateAddress, _ body: (StateAddress) -> Void) -> Void)
  }

  private let location: Location
  let labels: InlineList<LensLabel>

  private init(_ location: Location, _ labels: InlineList<LensLabel>) {
    self.location = location
    self.labels = labels
  }

  /// The whole state.
  static let whole = StatePlace(.offset(0), .none)

  init<Part>(_ path: PartPath<Part>) {
    switch path.location {
    case .stored(let offset): location = .offset(Int(offset))
    case .computed(let read):
      location = .lent { state, body in StateAddress.reading(read(state), as: Part.self, body) }
    }
    labels = path.labels
  }

  /// The offset of the part in bytes, if it has a fixed one.
  var offset: Int? { if case .offset(let offset) = location { offset } else { nil } }

  /// The identity of the part; nil where functions of the user lead to it, which cannot be compared.
  var key: MemoKey.Place? {
    if let offset { return .offset(offset) }
    var keyPaths: [any AnyKeyPath & Sendable] = []
    for label in labels.all {
      guard case .keyPath(let keyPath) = label else { return nil }
      keyPaths.append(keyPath)
    }
    return .keyPaths(keyPaths)
  }

  /// Lends the address of the part.
  func lend(_ state: StateAddress, _ body: (StateAddress) -> Void) {
    switch location {
    case .offset(let offset): body(state.advanced(by: offset))
    case .lent(let lend): lend(state, body)
    }
  }

  /// A part of this part.
  func appending(_ next: StatePlace) -> StatePlace {
    let labels = labels.appending(next.labels, at: offset)
    if let offset, let further = next.offset {
      return StatePlace(.offset(offset + further), labels)
    }
    return StatePlace(.lent { state, body in lend(state) { next.lend($0, body) } }, labels)
  }
}
