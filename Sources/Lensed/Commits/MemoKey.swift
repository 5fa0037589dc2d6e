/// The identity of what a memo is about, and of the part of the state that it is seen from.
struct MemoKey: Hashable, Sendable {
  /// The part of the state.
  enum Place: Hashable, Sendable {
    /// So many bytes behind the start of the state.
    case offset(Int)
    /// Reached by steps, of which some have no offset.
    case steps([Way.Step])
    /// A value that a feature is given: the number of who gives it, and the rows on the way to the feature.
    indirect case given(by: UInt64, to: [Way.Step])
    /// The part that something is seen from, and the places of the values that it is given.
    case several([Place])
  }

  /// The memo keeps the object alive, so no other takes over its identity.
  let object: ObjectIdentifier
  let place: Place
}

extension MemoKey.Place {
  /// Whether it starts where the state starts.
  var isWhole: Bool { if case .offset(0) = self { true } else { false } }

  /// Whether it can be found again: no functions lead to it.
  var canBeFound: Bool {
    switch self {
    case .offset, .given: true
    case .steps(let steps): steps.allSatisfy(\.canBeFound)
    case .several(let places): places.allSatisfy(\.canBeFound)
    }
  }

  /// Whether the part is one of many: a row, a case.
  var comesAndGoes: Bool {
    switch self {
    case .offset: false
    case .steps(let steps), .given(_, let steps): steps.contains(where: \.comesAndGoes)
    case .several(let places): places.contains(where: \.comesAndGoes)
    }
  }

  /// The same with the places of values that are given.
  func given(_ givers: [Self]) -> Self { givers.isEmpty ? self : .several([self] + givers) }
}
