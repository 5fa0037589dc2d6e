import Lensed
import LensedTestSupport
import LensedTesting
import Testing

@Suite struct `Bad input to the test kit` {
  private func message(
    of result: ExitTest.Result?
  ) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `a part that is no stored property`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Exhaustivity<Desk>.except(\.summary)
    }
    let says = message(of: result)
    #expect(
      says.contains("Lensed: an Exhaustivity names parts by their stored properties, and \\Desk."))
    #expect(says.contains(" is none. Name the properties that it is made of."))
  }

  @Test func `a generator of nothing`() async {
    let empty = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Generator<Int>.one(of: [])
    }
    #expect(
      message(of: empty).contains(
        "Lensed: a generator of one of no values can make none. Give it some values."))
    let weightless = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Generator<Int>.weighted((0, .always(1)), (-1, .always(2)))
    }
    #expect(
      message(of: weightless).contains("Lensed: a weighted generator needs a weight above zero."))
  }

  @Test func `no steps, fewer than none, and a store that cannot be made`() async {
    for steps in [0, -5] {
      let exploration = await explore(
        store: { try Desk.makeStore() }, actions: .any(.always(ClearAction())), seed: 1,
        steps: steps)
      #expect(exploration.stepCount == 0 && exploration.brokenPromise == nil)
    }
    let heard = await issues {
      await explore(
        store: { try Store(initialState: Desk()) { Desk.countMutator } },
        actions: .any(.always(ClearAction())), seed: 1)
    }
    #expect(heard.count == 1)
    #expect(heard.first?.hasPrefix("The store to explore could not be made: ") == true)
  }

  @Test func `parts that do not fit are an error of the test store`() {
    #expect(throws: RegistrationError.self) {
      try TestStore(initialState: Desk()) { Desk.countMutator }
    }
  }

  @Test func `steps after the end are judged like any other`() async throws {
    let test = try TestStore(initialState: Desk()) {
      Desk.countMutator
      Desk.titleMutator
      Desk.notesMutator
    }
    await test.finish()
    await test.dispatch(CountAction.add(1)) { $0.count = 1 }
    await test.finish()
  }
}

@Suite struct `Generators` {
  private func values<Value>(_ generator: Generator<Value>, _ count: Int = 200) -> [Value] {
    var random = SeededGenerator(seed: 3)
    return (0..<count).map { _ in generator.next(&random) }
  }

  @Test func `make the ends of a range, and zero, more often than chance would`() {
    let numbers = values(.int(in: -1_000_000...1_000_000))
    #expect(numbers.contains(0) && numbers.contains(1_000_000) && numbers.contains(-1_000_000))
    #expect(numbers.allSatisfy { abs($0) <= 1_000_000 })
    #expect(values(.int(in: 3...3)).allSatisfy { $0 == 3 })
    #expect(values(.int(in: .min ... .max)).contains(.min))
    #expect(values(.double(in: 0...1)).allSatisfy { 0...1 ~= $0 })
  }

  @Test func `are put together`() {
    let pairs = values(
      Generator.bool.with(Generator.one(of: ["a", "b"])).array(count: 0...2).optional())
    #expect(pairs.contains { $0 == nil })
    #expect(pairs.contains { $0?.count == 2 })
    let weighted = values(.weighted((9, .always("often")), (1, .always("seldom"))), 1_000)
    let share = weighted.filter { $0 == "often" }.count
    #expect(800...980 ~= share)
    #expect(Set(values(.choice(.always(1), .always(2)))) == [1, 2])
    #expect(
      values(Generator.int(in: 1...3).flatMap { .always($0 * 2) }).allSatisfy {
        $0.isMultiple(of: 2)
      })
    #expect(values(.string(of: "ab", count: 2...2)).allSatisfy { $0.count == 2 })
    #expect(Set(values(.string()).joined()) == Set("abcz Zé🙂\n\""))
  }
}
