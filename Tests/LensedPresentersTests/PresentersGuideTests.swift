import Lensed
import LensedPresenters
import LensedTestSupport
import LensedTesting
import Testing

/// What the guide on presenters shows, word for word.
@Suite("The article Presenting: what it shows", .timeLimit(.minutes(30)))
struct PresentersGuideTests {
  // GUIDE: The feature
  struct Basket: Sendable, Equatable {
    var lines: [Line] = []
    var note = ""
    var opened: String?

    struct Line: Sendable, Equatable, Identifiable {
      let id: String
      let price: Int
      var count = 1
    }
  }
  enum BasketAction: Action, Hashable { case add(String, price: Int), takeOut(String), order }
  struct NoteTyped: Action { let text: String }
  struct Opened: Action, Hashable { let id: String }

  let basket = Feature<Basket> {
    Mutator(\.lines) { (lines: inout [Basket.Line], action: BasketAction) in
      switch action {
      case .add(let id, let price): lines.append(Basket.Line(id: id, price: price))
      case .takeOut(let id): lines.removeAll { $0.id == id }
      case .order: lines = []
      }
    }
    Mutator(\.note) { (note: inout String, action: NoteTyped) in note = action.text }
    Mutator(\.opened) { (opened: inout String?, action: Opened) in opened = action.id }
  }
  // GUIDE: end

  // GUIDE: The presenter
  struct BasketPresenter: Presenter {
    struct Props: Equatable {
      let title: String
      let rows: [Row]
      let note: String
      let typeNote: CommandWith<String>
      /// Nil while there is nothing to order.
      let order: Command?

      struct Row: Equatable, Identifiable {
        let id: String
        let text: String
        let open: Command
        let takeOut: Command
      }
    }

    func props(for state: Basket, dispatch: Dispatcher) -> Props {
      let total = state.lines.reduce(0) { $0 + $1.price * $1.count }
      return Props(
        title: state.lines.isEmpty ? "Nothing yet" : "\(total) €",
        rows: state.lines.map { line in
          Props.Row(
            id: line.id, text: "\(line.count) × \(line.id)",
            open: dispatch.command(Opened(id: line.id)),
            takeOut: dispatch.command(BasketAction.takeOut(line.id)))
        },
        note: state.note,
        typeNote: dispatch.command("note") { (text: String) in NoteTyped(text: text) },
        order: state.lines.isEmpty ? nil : dispatch.command(BasketAction.order))
    }
  }
  // GUIDE: end

  // GUIDE: The view
  @MainActor
  final class BasketController {
    private(set) var title = ""
    private(set) var rows: [BasketPresenter.Props.Row] = []
    private var presentation: Presentation?

    func appear(in store: Store<Basket>) {
      presentation = store.present(BasketPresenter(), to: self, skippingEqualProps: true) {
        (controller, props) in
        (controller.title, controller.rows) = (props.title, props.rows)
      }
      presentation?.start()
    }
    func disappear() { presentation = nil }
    func takeOutTapped(in row: Int) { rows[row].takeOut() }
  }
  // GUIDE: end

  // GUIDE: A reaction
  struct RoutingPresenter: Presenter {
    let show: @MainActor @Sendable (String) -> Void

    func reaction(to change: Change<Basket>) -> Reaction {
      if change.didChange(\.lines) || change.didChange(\.note) { return .props }
      guard let opened = change.actions.lazy.compactMap({ $0 as? Opened }).last else {
        return .none
      }
      return .route(Command(opened, onMain: { show(opened.id) }))
    }

    func props(for state: Basket, dispatch: Dispatcher) -> BasketPresenter.Props {
      BasketPresenter().props(for: state, dispatch: dispatch)
    }
  }
  // GUIDE: end

  // GUIDE: A test of the props
  @Test func `the basket is shown, and what is taken out goes`() async throws {
    let lines = [Basket.Line(id: "Tea", price: 3, count: 2), Basket.Line(id: "Jam", price: 4)]
    let test = try TestStore(initialState: Basket(lines: lines), basket)
    func props() -> BasketPresenter.Props {
      BasketPresenter().props(for: test.state, dispatch: Dispatcher(test.store))
    }
    #expect(props().title == "10 €")
    #expect(props().rows.map(\.text) == ["2 × Tea", "1 × Jam"])
    #expect(props() == props(), "commands are compared")
    props().rows[0].takeOut()
    await test.receive(BasketAction.takeOut("Tea")) { $0.lines.removeFirst() }
    props().order?()
    await test.receive(BasketAction.order) { $0.lines = [] }
    #expect(props().title == "Nothing yet")
    #expect(props().order == nil)
    await test.finish()
  }
  // GUIDE: end

  // GUIDE: A test of what is delivered
  @Test @MainActor func `an opened row is routed, and leaves the props`() async throws {
    let store = try Store(
      initialState: Basket(lines: [Basket.Line(id: "Tea", price: 3)]), basket)
    let (titles, shown) = (Recorder<String>(), Recorder<String>())
    let presentation = store.present(RoutingPresenter(show: { shown.append($0) })) { props in
      titles.append(props.title)
    }
    presentation.start()
    store.dispatch(Opened(id: "Tea"))
    store.dispatch(BasketAction.order)
    await titles.wait(untilLast: { $0 == "Nothing yet" })
    #expect(titles.values == ["3 €", "Nothing yet"])
    #expect(shown.values == ["Tea"])
    presentation.stop()
  }
  // GUIDE: end

  @Test @MainActor func `a controller shows the basket while it is there`() throws {
    let (store, controller) = (try Store(initialState: Basket(), basket), BasketController())
    controller.appear(in: store)
    #expect(controller.title == "Nothing yet")
    controller.disappear()
    store.dispatch(BasketAction.add("Tea", price: 3))
    #expect(controller.title == "Nothing yet", "it has disappeared")
    controller.appear(in: store)
    #expect(controller.title == "3 €")
    controller.takeOutTapped(in: 0)
    #expect(store.lines == [])
    controller.appear(in: store)
    #expect(controller.title == "Nothing yet")
  }

  @Test func `the guide shows these very lines, and no others in Swift for every platform`() throws
  {
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    let blocks = try CodeRegions.swiftBlocks(ofArticle: "Presenting")
    #expect(blocks.filter { $0.first != "#if canImport(SwiftUI)" } == marked)
    #expect(marked.count == 6)
  }
}

/// What the first page of the library shows, word for word.
@Suite("The page LensedPresenters: what it shows", .timeLimit(.minutes(30)))
@MainActor
struct PresentersPageTests {
  @Test func `a presenter shows the state, and its command changes it`() throws {
    let printed = Recorder<String>()
    @Sendable func print(_ line: String) { printed.append(line) }

    // GUIDE-PAGE: The example
    struct AppState { var counter = 0 }
    enum CounterAction: Action { case increase }
    let store = try Store(initialState: AppState()) {
      Mutator(\.counter) { (counter: inout Int, _: CounterAction) in counter += 1 }
    }

    struct CounterPresenter: Presenter {
      struct Props: Equatable {
        let text: String
        let increase: Command
      }

      func props(for state: AppState, dispatch: Dispatcher) -> Props {
        Props(text: "\(state.counter)", increase: dispatch.command(CounterAction.increase))
      }
    }

    @MainActor func show(_ store: Store<AppState>) -> Presentation {
      let presentation = store.present(CounterPresenter()) { props in print(props.text) }
      presentation.start()  // presents until the presentation is released
      return presentation
    }
    // GUIDE-PAGE: end

    let presentation = show(store)
    #expect(printed.values == ["0"])
    CounterPresenter().props(for: store.state, dispatch: Dispatcher(store)).increase()
    #expect(store.counter == 1)
    presentation.stop()
    #expect(
      try CodeRegions.swiftBlocks(ofArticle: "LensedPresenters")
        == CodeRegions.marked("GUIDE-PAGE", in: #filePath))
  }
}
