import Lensed

/// Four of a kind, side by side.
struct Quad<Part: Sendable>: Sendable {
  var a: Part
  var b: Part
  var c: Part
  var d: Part

  init(_ part: Part) { (a, b, c, d) = (part, part, part, part) }

  static var lenses: [Lens<Quad, Part>] {
    [Lens(\Quad.a), Lens(\Quad.b), Lens(\Quad.c), Lens(\Quad.d)]
  }
}

/// A kilobyte, inline.
struct Kilobyte: Sendable, Equatable {
  private var low = Quad(Quad(Quad(0)))
  private var high = Quad(Quad(Quad(0)))

  /// What the bytes begin with.
  var number: Int {
    get { low.a.a.a }
    set { low.a.a.a = newValue }
  }

  static func == (left: Kilobyte, right: Kilobyte) -> Bool { left.number == right.number }
}

/// 64 sub-states of a kilobyte each, all inline.
typealias WideState = Quad<Quad<Quad<Kilobyte>>>

extension Quad where Part == Quad<Quad<Kilobyte>> {
  /// A lens to each of the 64.
  static var parts: [Lens<WideState, Kilobyte>] {
    lenses.flatMap { outer in
      Quad<Quad<Kilobyte>>.lenses.flatMap { middle in
        Quad<Kilobyte>.lenses.map { outer.appending(middle).appending($0) }
      }
    }
  }
}
