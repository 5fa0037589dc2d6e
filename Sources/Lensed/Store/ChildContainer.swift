/// The part of a state in which a child lies, as far as that can be seen.
struct ChildContainer: Sendable {
  let labels: [LensLabel]
  let bytes: Range<Int>?
  private let type: any Any.Type

  private init(_ labels: [LensLabel], _ bytes: Range<Int>?, of type: any Any.Type) {
    (self.labels, self.bytes, self.type) = (labels, bytes, type)
  }

  /// What a lens focuses on.
  init<Root, Value>(_ lens: Lens<Root, Value>) {
    var bytes: Range<Int>?
    if case .stored(let offset) = lens.way {
      bytes = offset..<(offset + MemoryLayout<Value>.size)
    }
    self.init(lens.labels, bytes, of: Value.self)
  }

  /// A whole state.
  init<Root>(whole: Root.Type) {
    self.init(Lens<Root, Root>.identity)
  }

  /// The same part, of a larger state.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> ChildContainer {
    var moved: Range<Int>?
    if case .stored(let offset) = lens.way, let bytes {
      moved = (bytes.lowerBound + offset)..<(bytes.upperBound + offset)
    }
    return ChildContainer(lens.labels + labels, moved, of: type)
  }

  var footprint: Footprint { Footprint(labels: InlineList(labels), bytes: bytes, of: type) }
}

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
