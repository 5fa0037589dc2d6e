#if canImport(Testing)
  public import Lensed
  public import Testing

  /// Expects collections of entities, and the edits of their elements, to keep the laws of `Entities`.
  ///
  /// ```swift
  /// expectLawful([Entities<Row>(), rows], editing: [{ $0.title = "" }, { $0.isDone.toggle() }])
  /// ```
  ///
  /// - Each id is there once, and leads to the place of its element.
  /// - An element that is updated with itself, removed and put back, or moved to its own place changes nothing.
  /// - An edit keeps the id of its element.
  ///
  /// The last is where elements go wrong: by an edit that changes what their id is made of.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken law traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - samples: The collections.
  ///   - edits: Edits of an element, each made to each element by itself.
  ///   - sourceLocation: Where the issues are reported.
  public func expectLawful<Element: Identifiable>(
    _ samples: [Entities<Element>], editing edits: [(inout Element) -> Void] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var check = LawCheck("Entities of \(Element.self)", at: sourceLocation)
    check.requireSamples(samples.isEmpty)
    for sample in samples {
      check.require(
        "each id is there once", of: ["entities": sample], expected: sample.count,
        is: Set(sample.ids).count)
      for (index, element) in sample.enumerated() {
        let inputs: KeyValuePairs<String, Any> = ["entities": sample, "element": element]
        check.require(
          "an id leads to the place of its element", of: inputs, expected: Optional(index) as Any,
          is: sample.index(id: element.id) as Any)
        check.require(
          "an id leads to its element", of: inputs, expected: Optional(element) as Any,
          is: sample[id: element.id] as Any)
        var copy = sample
        copy.update(element)
        copy.move(id: element.id, to: index)
        if let removed = copy.remove(id: element.id) { copy.insert(removed, at: index) }
        check.require(
          "an element that is removed and put back changes nothing", of: inputs,
          expected: Array(sample), is: Array(copy))
        for (number, edit) in edits.enumerated() {
          var edited = element
          edit(&edited)
          check.require(
            "edit \(number) keeps the id of its element",
            of: ["before": element, "after": edited], expected: true, is: element.id == edited.id)
        }
      }
    }
  }

  /// Expects a derived value to equal a plain function of the state, from whichever state it comes to a state.
  ///
  /// ```swift
  /// expectLawful(Cards.open, over: [board, moved, edited, Board()]) { board in board.cards.filter { !$0.isDone } }
  /// ```
  ///
  /// A derived value that follows rows goes on from the version that it was computed of. So it is read at each state
  /// after each other one. The rows of the states should share: edit a copy of one to make the next.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken law traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - derived: The derived value.
  ///   - states: The states.
  ///   - sourceLocation: Where the issues are reported.
  ///   - plain: What the value means.
  /// - Complexity: O(*n*²) in the number of states.
  public func expectLawful<State: Sendable, Value: Sendable>(
    _ derived: Derived<State, Value>, over states: [State],
    sourceLocation: SourceLocation = #_sourceLocation, equals plain: (State) -> Value
  ) {
    var check = LawCheck("The derived value", at: sourceLocation)
    check.requireSamples(states.isEmpty)
    for former in states {
      for next in states {
        let store = Store(initialState: former)
        let inputs: KeyValuePairs<String, Any> = ["former state": former, "state": next]
        check.require(
          "it is the plain function of the first state", of: ["state": former],
          expected: plain(former), is: store[derived])
        store.replaceState(next)
        check.require(
          "it is the plain function of the state, going on from a former one", of: inputs,
          expected: plain(next), is: store[derived])
      }
    }
  }
#endif
