import Lensed
import LensedTestSupport
import LensedTesting
import Testing

extension SiblingReadingTests {
  final class Probe: Sendable {}

  @Test func `the copy is released with the action`() throws {
    struct Held: Sendable {
      var probe: Probe? = Probe()
      var count = 0
    }
    let store = try Store(initialState: Held()) {
      Mutator(\Held.probe) { (probe: inout Probe?, _: Typing) in probe = nil }
      Mutator(\Held.count) { (count: inout Int, _: Wide) in count += 10 }
        .on(Save.self, reading: \.probe) { count, _, probe in count += probe == nil ? 0 : 1 }
    }
    let reference = WeakReference(store.probe)
    store.dispatch(Save())
    #expect(store.count == 1)
    store.dispatch(Typing.text(""))
    #expect(reference.object == nil)
  }

  @Test(.enabled(if: countsAllocations))
  func `the next action edits the sibling in place, and other actions allocate nothing`() async {
    await #expect(processExitsWith: .success) {
      struct Big: Sendable {
        var numbers = Array(repeating: 0, count: 100_000)
        var count = 0
      }
      let store = try Store(initialState: Big()) {
        Mutator(\Big.numbers) { (numbers: inout [Int], action: CountAction) in
          if case .add(let amount) = action { numbers[0] += amount }
        }
        Mutator(\Big.count) { (count: inout Int, action: Typing) in count += 1 }
          .on(Save.self, reading: \.numbers) { count, _, numbers in count += numbers[0] }
      }
      store.dispatch(Save())
      #expect(allocations { store.dispatch(CountAction.add(1)) } == 0)
      #expect(allocations { store.dispatch(Typing.text("")) } == 0)
      store.dispatch(Save())
      #expect(allocations { store.dispatch(CountAction.add(1)) } == 0)
      #expect(store.count == 440)
    }
  }

  @Test func `a test store sees what the reader wrote`() async throws {
    let test = try TestStore(initialState: Editor(), Self.feature(isListFirst: false))
    await test.dispatch(Typing.text("a")) {
      $0.form.text = "a"
      $0.list = ["typed a"]
    }
    await test.dispatch(Save()) {
      $0.form.text = "-a"
      $0.list = ["typed a", "a"]
    }
    await test.finish()
  }

  @Test func `two stores of one blueprint do not share what they read`() async throws {
    let blueprint = try StoreBlueprint<Editor>(Self.feature(isListFirst: false))
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          let store = blueprint.makeStore(initialState: Editor())
          for round in 0..<300 {
            store.dispatch(Typing.text("\(number).\(round)"))
            store.dispatch(Save())
            #expect(store.list.last == "\(number).\(round)")
          }
        }
      }
    }
  }
}
