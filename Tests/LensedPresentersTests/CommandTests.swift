import Lensed
import LensedPresenters
import LensedTestSupport
import Testing

@Suite("Command: a closure that compares by id", .timeLimit(.minutes(30)))
struct CommandTests {
  private struct Row: Equatable {
    let title: String
    let remove: Command
  }

  @Test func `equal ids make equal commands, whatever the bodies do`() {
    let (first, second) = (Command("a") {}, Command("a") { print("") })
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(Row(title: "t", remove: first) == Row(title: "t", remove: second))
    #expect(first != Command("b") {})
  }

  @Test func `an id is type and value`() {
    #expect(Command(1) {} != Command(1 as UInt8) {})
    #expect(Command([1, 2]) {} == Command([1, 2]) {})
    #expect(Command("1") {} != Command(1) {})
  }

  @Test func `without an id it has its own, and equals its copies alone`() {
    let one = Command {}
    let copy = one
    #expect(one == copy)
    #expect(Command {} != Command {})
    let made = (0..<2).map { _ in Command {} }
    #expect(made[0] != made[1], "one place in the source makes two")
    #expect(Set([one, copy, Command {}]).count == 2)
  }

  @Test func `nothing equals nothing`() {
    Command.nothing()
    #expect(Command.nothing == Command.nothing)
    #expect(Command.nothing != Command {})
  }

  @Test func `it prints its id`() {
    #expect("\(Command("remove-7") {})" == "Command(remove-7)")
    #expect("\(Command.nothing)" == "Command(nothing)")
    #expect("\(Command {})".hasPrefix("Command(#"))
    #expect("\(CommandWith<Int>("edit") { _ in })" == "CommandWith(edit)")
  }

  @Test func `it is called like a function`() {
    let calls = Counter()
    let command = Command("count") { calls.increment() }
    command()
    command()
    #expect(calls.value == 2)
  }

  @Test func `one for the main actor gets there from anywhere`() async {
    let heard = Recorder<Int>()
    let command = Command(onMain: {
      MainActor.assertIsolated()
      heard.append(1)
    })
    command()
    #expect(await heard.waitForCount(1) == [1])
    let named = Command("id", onMain: { heard.append(2) })
    named()
    #expect(await heard.waitForCount(2) == [1, 2])
    #expect(named == Command("id") {})
  }

  @Test func `one with an input compares and is called the same way`() {
    let heard = Recorder<String>()
    let edit = CommandWith("edit") { (text: String) in heard.append(text) }
    edit("alien")
    #expect(heard.values == ["alien"])
    #expect(edit == CommandWith("edit") { _ in })
    #expect(edit != CommandWith("erase") { _ in })
    #expect(CommandWith<Int> { _ in } != CommandWith<Int> { _ in })
    #expect(edit.with("a") == CommandWith<String>("edit") { _ in }.with("a"))
    #expect(edit.with("a") != edit.with("b"))
    edit.with("ripley")()
    #expect(heard.values == ["alien", "ripley"])
  }
}
