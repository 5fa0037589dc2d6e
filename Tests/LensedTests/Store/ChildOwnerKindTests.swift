import Lensed
import LensedTestSupport
import Testing

@Suite(
  "A child's properties have owners, whatever kind of owners the child has",
  .timeLimit(.minutes(30)))
struct ChildOwnerKindTests {
  struct Leaf: Sendable, Equatable, Identifiable {
    var id = 1
    var text = ""
    var orphan = 0
  }

  enum Page: Sendable, Equatable { case blank, shown(Leaf) }

  struct Middle: Sendable, Equatable, Identifiable {
    var id = 1
    var places = Places()
  }

  /// Every way to hold children.
  struct Places: Sendable, Equatable {
    var optional: Leaf?
    var page = Page.blank
    var keyed: [Int: Leaf] = [:]
    var offset: [Leaf] = []
    var rows: [Leaf] = []
  }

  struct App: Sendable, Equatable {
    var places = Places()
    var middles: [Middle] = []
  }

  struct Edit: Action {}
  struct Fill: Action {}
  struct Touch: Action {}

  enum Kind: String, CaseIterable, Codable, Sendable {
    case sync, async, everyAction, unreduced

    var leaf: Feature<Leaf> {
      Feature {
        Constant(\.id)
        switch self {
        case .sync: Mutator(\.text) { (text: inout String, _: Edit) in text += "x" }
        case .async:
          AsyncMutator(\.text) { (text: String, _: Edit) in AsyncResult(value: text + "x") }
        case .everyAction:
          Mutator(lens: Lens(\Leaf.text), everyAction: { leaf, _ in leaf.text + "x" })
        case .unreduced:
          Constant(\.text)
          Effect(on: Edit.self) { _, _ in }
        }
      }
    }
  }

  enum Way: String, CaseIterable, Codable, Sendable {
    case optional, matching, keyed, offset, identified

    /// The feature in its place among all of them.
    func lift(_ leaf: Feature<Leaf>) -> Feature<Places> {
      switch self {
      case .optional: leaf.optional().lifted(\.optional)
      case .matching:
        leaf.matching(Prism(Page.shown) { if case .shown(let leaf) = $0 { leaf } else { nil } })
          .lifted(\.page)
      case .keyed: leaf.keyed().lifted(\.keyed)
      case .offset: leaf.offset().lifted(\.offset)
      case .identified: leaf.identified().lifted(\.rows)
      }
    }

    /// Puts a leaf into its place.
    func fill(_ places: inout Places) {
      switch self {
      case .optional: places.optional = Leaf()
      case .matching: places.page = .shown(Leaf())
      case .keyed: places.keyed[1] = Leaf()
      case .offset: places.offset = [Leaf(), Leaf()]
      case .identified: places.rows = [Leaf()]
      }
    }

    /// The action that edits the leaf.
    var edit: any Action {
      switch self {
      case .optional, .matching: Edit()
      case .keyed, .offset, .identified: ElementAction(id: 1, action: Edit())
      }
    }

    /// An every-action reducer of elements is refused for that alone.
    func suits(_ kind: Kind) -> Bool {
      kind != .everyAction || self == .optional || self == .matching
    }
  }

  struct Sample: Sendable, Codable, CustomStringConvertible {
    let kind: Kind
    let way: Way
    /// Whether the leaf is in a child of the app, and not in the app itself.
    let isDeep: Bool

    var description: String { "\(kind), \(way)\(isDeep ? ", in a child" : "")" }

    /// The element around a deep leaf is no child for a reducer of every action.
    static var all: [Sample] {
      Kind.allCases.flatMap { kind in
        Way.allCases.filter { $0.suits(kind) }.flatMap { way in
          [false, true].filter { !$0 || kind != .everyAction }
            .map { Sample(kind: kind, way: way, isDeep: $0) }
        }
      }
    }

    func makeStore(filled: Bool) throws(RegistrationError) -> Store<App> {
      var state = App(middles: isDeep ? [Middle()] : [])
      if filled {
        if isDeep { way.fill(&state.middles[0].places) } else { way.fill(&state.places) }
      }
      let way = way
      let places = Feature<Places> {
        way.lift(kind.leaf)
        Mutator(\Places.self) { (places: inout Places, _: Fill) in way.fill(&places) }
          .on(Touch.self) { _, _ in }
      }
      let isDeep = isDeep
      return try Store(initialState: state) {
        if isDeep {
          Feature<Middle> {
            Constant(\.id)
            places.lifted(\.places)
          }.identified().lifted(\.middles)
          Constant(\App.places)
        } else {
          places.lifted(\.places)
          Constant(\App.middles)
        }
      }
    }

    /// Adds the leaf, after a commit without one, and edits it.
    func addLeaf(to store: Store<App>) async throws {
      for action in [Touch(), Fill(), way.edit] as [any Action] {
        try await dispatch(action, to: store)
      }
    }

    private func dispatch(_ action: any Action, to store: Store<App>) async throws {
      guard isDeep else { return try await store.dispatch(action).finish() }
      switch action {
      case let action as Touch: store.dispatch(ElementAction(id: 1, action: action))
      case let action as Fill: store.dispatch(ElementAction(id: 1, action: action))
      case let action as Edit:
        try await store.dispatch(ElementAction(id: 1, action: action)).finish()
      case let action as ElementAction<Int, Edit>:
        try await store.dispatch(ElementAction(id: 1, action: action)).finish()
      default: Issue.record("no action for \(self)")
      }
    }
  }

  @Test(arguments: Sample.all)
  func `a property without an owner is named where the initial state has a child`(
    _ sample: Sample
  ) {
    let error = #expect(throws: RegistrationError.self) {
      _ = try sample.makeStore(filled: true)
    }
    let faults = error?.faults.map { "\($0)" } ?? []
    #expect(faults.count == 1)
    #expect(faults.first?.contains(".orphan` has no reducer") == true, "\(faults)")
  }

  @Test(arguments: Sample.all.filter { $0.kind != .unreduced })
  func `a property without an owner traps when the first child is reduced`(
    _ sample: Sample
  ) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [sample] in
      let store = try sample.makeStore(filled: false)
      try await sample.addLeaf(to: store)
    }
    #expect(
      result.message.contains(".orphan` has no reducer"), "\(sample): \(result.message)")
  }

  @Test(arguments: Sample.all.filter { $0.kind == .unreduced })
  func `a child in which nothing is reduced may come later`(_ sample: Sample) async throws {
    let store = try sample.makeStore(filled: false)
    try await sample.addLeaf(to: store)
    #expect(store.state != App(middles: sample.isDeep ? [Middle()] : []), "there is a leaf")
  }
}
