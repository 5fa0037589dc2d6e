import Lensed
import LensedTesting
import Testing

@testable import WikiSearch

@Test func `only the last query of a burst is asked`() async throws {
  let (clock, asked) = (ManualClock(), Recorder<String>())
  let encyclopedia = Encyclopedia { query in
    asked.append(query)
    return [query + " I", query + " II"]
  }
  let test = try TestStore(
    initialState: Search(), search(encyclopedia, clock: clock))
  await test.dispatch(QueryChanged(query: "s")) {
    $0.query = "s"
    $0.isLoading = true
  }
  await test.dispatch(QueryChanged(query: "swift")) {
    $0.query = "swift"
  }
  await clock.advance(by: .milliseconds(300))
  #expect(asked.values == ["swift"])
  await test.receive(Found.self) {
    $0.titles = ["swift I", "swift II"]
    $0.isLoading = false
  }
  await test.finish()
}

@Test func `a late answer to an older query is never shown`()
  async throws
{
  let (clock, answers) = (ManualClock(), Gate())
  let encyclopedia = Encyclopedia { query in
    try await answers.wait()
    return [query]
  }
  let test = try TestStore(
    initialState: Search(), search(encyclopedia, clock: clock))
  await test.dispatch(QueryChanged(query: "old")) {
    $0.query = "old"
    $0.isLoading = true
  }
  await clock.advance(by: .milliseconds(300))
  await test.dispatch(QueryChanged(query: "new")) { $0.query = "new" }
  await clock.advance(by: .milliseconds(300))
  answers.open()
  await test.receive(Found(titles: ["new"])) {
    $0.titles = ["new"]
    $0.isLoading = false
  }
  await test.finish()
}

@Test func `the third failure in a row is shown`() async throws {
  struct Offline: Error {}
  let (clock, asked) = (ManualClock(), Recorder<String>())
  let encyclopedia = Encyclopedia { query in
    asked.append(query)
    throw Offline()
  }
  let test = try TestStore(
    initialState: Search(), search(encyclopedia, clock: clock))
  await test.dispatch(QueryChanged(query: "swift")) {
    $0.query = "swift"
    $0.isLoading = true
  }
  await clock.advance(by: .milliseconds(300))
  await clock.advance(by: .seconds(3))
  #expect(asked.count == 3)
  await test.receive(Failed(reason: "Offline()")) {
    $0.failure = "Offline()"
    $0.isLoading = false
  }
  await test.finish()
}
