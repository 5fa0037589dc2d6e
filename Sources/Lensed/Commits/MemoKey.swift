/// The identity of what a memo is about, and of the part of the state that it is seen from.
struct MemoKey: Hashable, Sendable {
  /// The part of the state.
  enum Place: Hashable, Sendable {
    /// So many bytes behind the start of the state.
    case offset(Int)
    /// Reached by steps, of which some have no offset.
    case steps([Step])
  }

  /// One step of the way to a part.
  enum Step: Hashable, Sendable {
    case keyPath(any AnyKeyPath & Sendable)
    /// One element of a collection.
    case row(RowLabel)
    /// The payload of one case of an enum, by the identity of its prism.
    case matching(PrismID)
    /// A function, which cannot be compared; by a number that nothing else has.
    case function(UInt64)
    /// What gives a value, by a number of its own.
    case giver(UInt64)
    /// A part of the state that something is computed of beside the one that it is seen from.
    case place(Place)
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
    guard case .steps(let steps) = self else { return true }
    return steps.allSatisfy { step in
      switch step {
      case .function: false
      case .place(let place): place.canBeFound
      case .keyPath, .row, .matching, .giver: true
      }
    }
  }

  /// The same with the places of values that are given.
  func given(_ givers: [Self]) -> Self {
    givers.isEmpty ? self : .steps([.place(self)] + givers.map { .place($0) })
  }

  /// Whether the part is one of many: a row, a case.
  var comesAndGoes: Bool {
    guard case .steps(let steps) = self else { return false }
    return steps.contains { step in
      switch step {
      case .row, .matching: true
      case .place(let place): place.comesAndGoes
      case .keyPath, .function, .giver: false
      }
    }
  }
}

extension MemoKey.Step {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.keyPath(let left), .keyPath(let right)): left as AnyKeyPath == right
    case (.row(let left), .row(let right)):
      left.collection == right.collection && left.isSame(right)
    case (.matching(let left), .matching(let right)): left == right
    case (.function(let left), .function(let right)): left == right
    case (.giver(let left), .giver(let right)): left == right
    case (.place(let left), .place(let right)): left == right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .keyPath: break  // Its hash is slow; an object is seldom seen from several places.
    case .row(let row): hasher.combine(row.hash)
    case .matching(let prism): hasher.combine(prism)
    case .function(let number), .giver(let number): hasher.combine(number)
    case .place(let place): hasher.combine(place)
    }
  }
}
