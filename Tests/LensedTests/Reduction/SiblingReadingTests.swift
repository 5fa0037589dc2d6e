import AllocationCounter
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite(
  "A reducer reads a sibling of its part as it was before the action", .timeLimit(.minutes(30)))
struct SiblingReadingTests {
  struct Save: Action, Equatable { var note = "" }
  enum Typing: Action { case text(String) }
  enum Wide: Action { case save(Save), other }
  enum Left {}

  struct Form: Sendable, Equatable {
    var text = ""
    var tags: [Int] = []
    var length: Int { text.count }
  }
  struct Editor: Sendable, Equatable, Identifiable {
    var id = 1
    var form = Form()
    var list: [String] = []
  }

  static let list = Mutator(\Editor.list) { (list: inout [String], action: Typing) in
    if case .text(let text) = action { list.append("typed \(text)") }
  }
  .on(Save.self, reading: \.form) { list, save, form in list.append(form.text + save.note) }

  static let form = Mutator(\Editor.form) { (form: inout Form, action: Typing) in
    if case .text(let text) = action { form.text = text }
  }
  .on(Save.self) { form, _ in form.text = "-" + form.text }

  static func feature(isListFirst: Bool) -> Feature<Editor> {
    Feature<Editor> {
      Constant(\.id)
      if isListFirst { list }
      form
      if !isListFirst { list }
    }
  }

  // MARK: Before the action

  @Test(arguments: [true, false])
  func `the sibling is as it was, whatever the order of registration`(_ isListFirst: Bool) throws {
    let store = try Store(initialState: Editor(), Self.feature(isListFirst: isListFirst))
    store.dispatch(Typing.text("a"))
    store.dispatch(Save())
    store.dispatch(Save(note: "!"))
    #expect(store.list == ["typed a", "a", "-a!"])
    #expect(store.form.text == "--a")
  }

  @Test(arguments: [true, false])
  func `in an array and in a list, it is as it was before that member`(_ isListFirst: Bool) throws {
    let store = try Store(initialState: Editor(), Self.feature(isListFirst: isListFirst))
    store.dispatch([Save(note: "1"), Save(note: "2")])
    #expect(store.list == ["1", "-2"])
    store.dispatch([Save(note: "3"), Typing.text("b"), Save(note: "4")] as [any Action])
    #expect(store.list.suffix(3) == ["--3", "typed b", "b4"])
  }

  @Test func `what a replay reads is the same`() throws {
    let recorder = SessionRecorder<Editor>()
    let store = try Store(
      initialState: Editor(), Self.feature(isListFirst: false), middleware: [recorder])
    store.dispatch(Typing.text("a"))
    store.dispatch([Save(), Save()])
    let other = try Store(initialState: Editor(), Self.feature(isListFirst: false))
    other.replay(try #require(recorder.session))
    #expect(other.state == store.state)
  }

  @Test func `a lens, a computed property and the whole state can be read`() throws {
    let store = try Store(initialState: Editor(form: Form(text: "abc"))) {
      Constant(\.id)
      Self.form
      Mutator(\Editor.list) { (_: inout [String], _: Wide) in }
        .on(Save.self, reading: \.form.length) { list, _, length in list.append("\(length)") }
        .on(Save.self, reading: Lens(\Editor.form.text)) { list, _, text in list.append(text) }
        .on(Save.self, reading: \.self) { list, _, whole in list.append("\(whole.list.count)") }
    }
    store.dispatch(Save())
    #expect(store.list == ["3", "abc", "0"])
  }

  @Test func `two that read each other both see what was`() throws {
    struct Pair: Sendable, Equatable { var (left, right) = (1, 2) }
    let store = try Store(initialState: Pair()) {
      Mutator(\Pair.left) { (_: inout Int, _: Wide) in }
        .on(Save.self, reading: \.right) { left, _, right in left = right }
      Mutator(\Pair.right) { (_: inout Int, _: Wide) in }
        .on(Save.self, reading: \.left) { right, _, left in right = left }
    }
    store.dispatch(Save())
    #expect(store.state == Pair(left: 2, right: 1))
    store.dispatch([Save(), Save()])
    #expect(store.state == Pair(left: 2, right: 1))
  }

  @Test func `random routes read what a model reads`() throws {
    struct Three: Sendable, Equatable { var (a, b, c) = (1, 10, 100) }
    var random = SeededGenerator(seed: 16)
    let paths: [any WritableKeyPath<Three, Int> & Sendable] = [\.a, \.b, \.c]
    for round in 0..<100 {
      let order = [0, 1, 2].shuffled(using: &random)
      let reads = order.map { _ in Int.random(in: 0...3, using: &random) }
      let store = try Store(initialState: Three()) {
        for (owner, read) in zip(order, reads) {
          if read < 3 {
            Mutator(paths[owner]) { (_: inout Int, _: Wide) in }
              .on(Save.self, reading: paths[read]) { own, _, other in own = own &* 3 &+ other }
          } else {
            Mutator(paths[owner]) { (own: inout Int, _: Save) in own &+= 1 }
          }
        }
      }
      var model = Three()
      let count = Int.random(in: 1...4, using: &random)
      for _ in 0..<count {
        let before = model
        for (owner, read) in zip(order, reads) {
          let own = model[keyPath: paths[owner]]
          model[keyPath: paths[owner]] =
            read < 3 ? own &* 3 &+ before[keyPath: paths[read]] : own &+ 1
        }
      }
      store.dispatch(Array(repeating: Save(), count: count))
      #expect(store.state == model, "round \(round): \(order), \(reads)")
    }
  }

  // MARK: Lifted

  struct App: Sendable, Equatable {
    var plain = Editor()
    var left = Editor()
    var maybe: Editor?
    var rows = [Editor(id: 7), Editor(id: 8)]
    var byKey = ["x": Editor(id: 9)]
    var entities = (try? Entities([Editor(id: 3)])) ?? Entities()
    var screen = Screen.closed
    var boxed = [Editor(id: 5)]

    var computed: Editor {
      get { boxed[0] }
      set { boxed[0] = newValue }
    }
  }
  enum Screen: Sendable, Equatable {
    case closed, open(Editor)
    static let open = Prism<Screen, Editor>(
      embed: { .open($0) }, extract: { if case .open(let editor) = $0 { editor } else { nil } })
  }
  static let saving = Prism<Wide, Save>(
    embed: { .save($0) }, extract: { if case .save(let save) = $0 { save } else { nil } })

  func edited(_ id: Int, _ text: String) -> Editor {
    Editor(id: id, form: Form(text: "-" + text), list: [text])
  }

  @Test(arguments: [true, false])
  func `it is the sibling of the feature, however that is lifted`(_ isListFirst: Bool) throws {
    let feature = Self.feature(isListFirst: isListFirst)
    var initial = App()
    initial.plain.form.text = "p"
    initial.left.form.text = "l"
    initial.maybe = Editor(id: 2, form: Form(text: "m"))
    initial.rows[1].form.text = "r"
    initial.byKey["x"]?.form.text = "k"
    initial.entities.modify(id: 3) { $0.form.text = "e" }
    initial.screen = .open(Editor(id: 4, form: Form(text: "s")))
    initial.computed.form.text = "c"
    let store = try Store(initialState: initial, coverage: .partial) {
      feature.lifted(action: Self.saving).lifted(\App.plain)
      feature.tagged(Left.self).lifted(\.left)
      feature.tagged(Int.self).optional().lifted(\.maybe)
      feature.identified().lifted(\.rows)
      feature.keyed(by: String.self).lifted(\.byKey)
      feature.tagged(String.self).identified().lifted(\.entities)
      feature.matching(Screen.open).tagged(Bool.self).lifted(\.screen)
      feature.tagged(Double.self).lifted(Lens(name: "computed", \App.computed))
    }
    store.dispatch(Wide.save(Save()))
    store.dispatch(Save().tagged(Left.self))
    store.dispatch(Save().tagged(Int.self))
    store.dispatch(ElementAction(id: 8, action: Save()))
    store.dispatch(ElementAction(id: "x", action: Save()))
    store.dispatch(ElementAction(id: 3, action: Save().tagged(String.self)))
    store.dispatch(Save().tagged(Bool.self))
    store.dispatch(Save().tagged(Double.self))
    #expect(store.plain == edited(1, "p"))
    #expect(store.left == edited(1, "l"))
    #expect(store.maybe == edited(2, "m"))
    #expect(store.rows == [Editor(id: 7), edited(8, "r")])
    #expect(store.byKey == ["x": edited(9, "k")])
    #expect(store.entities[id: 3] == edited(3, "e"))
    #expect(store.screen == .open(edited(4, "s")))
    #expect(store.boxed == [edited(5, "c")])
  }

  @Test(.warnsOnPurpose) func `for a child that is not there it does not run, and keeps nothing`()
    throws
  {
    let store = try Store(initialState: App(), coverage: .partial) {
      Self.feature(isListFirst: false).optional().lifted(\App.maybe)
      Self.feature(isListFirst: false).identified().lifted(\App.rows)
    }
    let seen = Recorder<Bool>()
    let subscription = store.states.subscribe { _ in seen.append(true) }
    store.dispatch(Save())
    store.dispatch(ElementAction(id: 99, action: Save()))
    #expect(seen.count == 1)
    #expect(store.state == App())
    subscription.cancel()
  }

  @Test func `in an array of actions for rows, each reads its own row`() throws {
    let store = try Store(initialState: App(), coverage: .partial) {
      Self.feature(isListFirst: false).identified().lifted(\App.rows)
    }
    store.dispatch([7, 8, 7].map { ElementAction(id: $0, action: Save(note: "\($0)")) })
    #expect(store.rows.map(\.list) == [["7", "-7"], ["8"]])
  }

  // MARK: Ownership, cost, tests

  @Test func `reading is not owning`() throws {
    let store = try Store(initialState: Editor(), Self.feature(isListFirst: true))
    let (form, list) = (Recorder<Int>(), Recorder<Int>())
    let subscriptions = [
      store.states(\.form, repeats: .kept).subscribe { _ in form.append(1) },
      store.states(\.list, repeats: .kept).subscribe { _ in list.append(1) },
    ]
    try? store.register(Mutator(\.id) { (_: inout Int, _: Wide) in })
    store.unregister(\.form)
    store.dispatch(Save())
    #expect(list.count == 2)
    #expect(form.count == 1)
    withExtendedLifetime(subscriptions) {}
  }
}
