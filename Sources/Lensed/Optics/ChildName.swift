/// How a child is called in messages: `rows[7].detail`.
struct ChildName: Sendable {
  private enum Piece: Sendable {
    case labels([LensLabel])
    case element
  }

  private let pieces: [Piece]

  private init(_ pieces: [Piece]) {
    self.pieces = pieces
  }

  init<Root, Value>(_ lens: Lens<Root, Value>) {
    pieces = lens.labels.isEmpty ? [] : [.labels(lens.labels)]
  }

  /// A child that is called as its parent is: the value of an optional.
  static let same = ChildName([])
  /// An element of its parent.
  static let element = ChildName([.element])

  func appending(_ next: ChildName) -> ChildName { ChildName(pieces + next.pieces) }

  /// Whether it ends with an element.
  var isElement: Bool { if case .element = pieces.last { true } else { false } }

  /// The name of the child with some ids; empty for the whole.
  ///
  /// Three dots stand for ids that are missing.
  func text(_ ids: [AnyID] = []) -> String {
    var (text, rest) = ("", ids[...])
    for piece in pieces {
      switch piece {
      case .element: text += "[\(rest.popFirst()?.description ?? "…")]"
      case .labels(let labels):
        guard let path = LensLabel.path(labels) else {
          text += text.isEmpty ? "an unnamed part" : ".…"
          continue
        }
        if path.isEmpty { continue }
        text += (text.isEmpty ? "" : ".") + LensLabel.text(path)
      }
    }
    return text
  }
}

/// Where a child is, or would be: the value of an optional, the payload of a case, an element.
///
/// Its text is made without the lock of the store, because it describes ids of users' types.
struct ChildPlace: Sendable {
  private let name: ChildName
  private let ids: [AnyID]
  /// Whether it is that of an element, and not of what might be in one.
  let isElement: Bool

  init(_ name: ChildName = .same, ids: [AnyID] = []) {
    self.init(name, ids, isElement: name.isElement)
  }

  private init(_ name: ChildName, _ ids: [AnyID], isElement: Bool) {
    (self.name, self.ids, self.isElement) = (name, ids, isElement)
  }

  /// The same, seen from what holds `name`.
  func inside(_ name: ChildName, ids: [AnyID] = []) -> ChildPlace {
    ChildPlace(name.appending(self.name), ids + self.ids, isElement: isElement)
  }

  /// All of its path: `rows[7].sheet`.
  var text: String { name.text(ids) }
}
