import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite("In random trees of features, a plain function gives the same", .timeLimit(.minutes(30)))
struct GivenDifferentialTests {
  struct Number: Sendable, Equatable { var value = 0 }
  struct Ask: Action {}
  struct Edit: Action { var amount: Int }

  /// A state of three levels, each of which may give; the leaves ask.
  struct Leaf: Sendable, Equatable, Identifiable {
    var id = 0
    var seen = 0
  }
  struct Middle: Sendable, Equatable, Identifiable {
    var id = 0
    var number = Number()
    var plain = Leaf()
    var maybe: Leaf? = Leaf()
    var rows = [Leaf(id: 1), Leaf(id: 2)]
  }
  struct Top: Sendable, Equatable {
    var number = Number()
    var other = Number()
    var plain = Middle()
    var maybe: Middle? = Middle()
    var rows = [Middle(id: 1), Middle(id: 2)]
  }
  enum Form: CaseIterable { case plain, maybe, rows }

  /// Which levels give, and how the features are lifted.
  struct Plan {
    let leaf: Form
    let middle: Form
    let isGivenByMiddle: Bool
    /// Nil where the top gives nothing; else whether it gives its first number, and not the other one.
    let top: Bool?
    let isTagged: Bool
  }
  enum Tag {}

  private func feature(_ plan: Plan) -> Feature<Top> {
    let leaf = Feature<Leaf> {
      Mutator(\Leaf.seen) { (_: inout Int, _: Edit) in }
        .on(Ask.self, given: Number.self) { seen, _, number in seen = seen &* 31 &+ number.value }
    }
    let tagged = plan.isTagged ? leaf.tagged(Tag.self) : leaf
    let inner =
      switch plan.leaf {
      case .plain: tagged.lifted(\Middle.plain)
      case .maybe: tagged.optional().lifted(\Middle.maybe)
      case .rows: tagged.identified().lifted(\Middle.rows)
      }
    let given = plan.isGivenByMiddle ? inner.giving(\.number) : inner
    let middle = Feature<Middle> {
      Mutator(\.number) { (number: inout Number, action: Edit) in number.value += action.amount }
      given
    }
    let outer =
      switch plan.middle {
      case .plain: middle.lifted(\Top.plain)
      case .maybe: middle.optional().lifted(\Top.maybe)
      case .rows: middle.identified().lifted(\Top.rows)
      }
    return switch plan.top {
    case nil: outer
    case true?: outer.giving(\.number)
    case false?: outer.giving(\.other)
    }
  }

  private func dispatch(_ plan: Plan, to store: Store<Top>, _ outer: Int, _ inner: Int) {
    func send(_ action: some Action) {
      if case .rows = plan.middle {
        store.dispatch(ElementAction(id: outer, action: action))
      } else {
        store.dispatch(action)
      }
    }
    func sendInner(_ action: some Action) {
      if case .rows = plan.leaf {
        send(ElementAction(id: inner, action: action))
      } else {
        send(action)
      }
    }
    if plan.isTagged { sendInner(Ask().tagged(Tag.self)) } else { sendInner(Ask()) }
  }

  /// What the plan comes to, written by hand.
  private func model(_ plan: Plan, _ top: inout Top, _ outer: Int, _ inner: Int) {
    let far = plan.top == true ? top.number : top.other
    func ask(_ middle: inout Middle) {
      let number = plan.isGivenByMiddle ? middle.number : far
      func see(_ leaf: inout Leaf) { leaf.seen = leaf.seen &* 31 &+ number.value }
      switch plan.leaf {
      case .plain: see(&middle.plain)
      case .maybe: if var leaf = middle.maybe { see(&leaf); middle.maybe = leaf }
      case .rows:
        if let index = middle.rows.firstIndex(where: { $0.id == inner }) {
          see(&middle.rows[index])
        }
      }
    }
    switch plan.middle {
    case .plain: ask(&top.plain)
    case .maybe: if var middle = top.maybe { ask(&middle); top.maybe = middle }
    case .rows:
      if let index = top.rows.firstIndex(where: { $0.id == outer }) { ask(&top.rows[index]) }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `the nearest that gives, by the library and by hand`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plan = Plan(
      leaf: Form.allCases.randomElement(using: &random) ?? .plain,
      middle: Form.allCases.randomElement(using: &random) ?? .plain,
      isGivenByMiddle: Bool.random(using: &random),
      top: [nil, true, false].randomElement(using: &random) ?? nil,
      isTagged: Bool.random(using: &random))
    var state = Top()
    func number() -> Number { Number(value: Int.random(in: 1...1_000, using: &random)) }
    (state.number, state.other, state.plain.number) = (number(), number(), number())
    state.maybe = Bool.random(using: &random) ? Middle(number: number()) : nil
    for index in state.rows.indices { state.rows[index].number = number() }
    if Bool.random(using: &random) { state.plain.maybe = nil }
    let feature = feature(plan)
    if !plan.isGivenByMiddle && plan.top == nil {
      #expect(throws: RegistrationError.self) {
        try Store(initialState: state, coverage: .partial, onWarning: { _ in }) { feature }
      }
      return
    }
    let store = try Store(initialState: state, coverage: .partial, onWarning: { _ in }) {
      Mutator(\Top.number) { (number: inout Number, action: Edit) in number.value += action.amount }
      feature
    }
    for _ in 0..<20 {
      let outer = Int.random(in: 1...3, using: &random)
      let inner = Int.random(in: 1...3, using: &random)
      if Bool.random(using: &random) {
        let amount = Int.random(in: 1...9, using: &random)
        store.dispatch(Edit(amount: amount))
        state.number.value += amount
        switch plan.middle {
        case .plain: state.plain.number.value += amount
        case .maybe: state.maybe?.number.value += amount
        case .rows: break
        }
        // A leaf handles it, too, and changes nothing.
      } else {
        dispatch(plan, to: store, outer, inner)
        model(plan, &state, outer, inner)
      }
      #expect(store.state == state, "\(plan)")
    }
  }
}
