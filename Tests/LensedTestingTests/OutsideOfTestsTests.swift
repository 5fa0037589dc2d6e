import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import LensedTesting

/// The body of an exit test runs as code under XCTest does: in no test of Swift Testing.
@Suite struct `Outside of the tests of Swift Testing` {
  /// Runs a misuse in a process of its own, and returns what it traps with.
  private func trap(_ declaration: String) async -> String {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [declaration] in
      let entry = try #require(
        ReportingEntryPoint.all.first { $0.declaration == declaration })
      try await entry.misuse()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    return text.replacing(#/\.swift:\d+(:\d+)?/#, with: ".swift")
  }

  private func sentence(_ subject: String, _ use: String, _ issue: String) -> String {
    """
    Lensed: \(subject) reports to Swift Testing, and was \(use) outside of its tests: XCTest would not hear of \
    this. Move the test to a function that is marked @Test. A detached task, or a thread that the test starts, is \
    outside of it. At ReportingEntryPoint.swift: \(issue)
    """
  }

  @Test(arguments: ReportingEntryPoint.all.map(\.declaration))
  func `a broken promise traps with its message, because nobody would hear of it`(
    declaration: String
  ) async throws {
    let entry = try #require(ReportingEntryPoint.all.first { $0.declaration == declaration })
    let use = entry.subject == "a TestStore" ? "made" : "called"
    let text = await trap(declaration)
    let isHeard = text.contains(sentence(entry.subject, use, entry.says))
    #expect(isHeard, "\(text.prefix(1_000))")
    // Behind what the trap itself says of its place, no message names one in the library.
    let message = text.ranges(of: "Fatal error: ").last.map { text[$0.upperBound...] } ?? ""
    let words = message.split { !($0.isLetter || $0.isNumber || "/_+.".contains($0)) }
    let own = words.filter { $0.hasPrefix("Lensed/") || $0.hasPrefix("LensedTesting/") }
    #expect(own.isEmpty && !words.isEmpty)
  }

  @Test func `the message of a test store is whole`() async {
    #expect(
      await trap("dispatch<A>(_ action: A,").contains(
        sentence(
          "a TestStore", "made",
          """
          `CountAction.add(1)` changed the state, and the step says nothing of it:
            count: expected 0, is 1
            dispatched at LensedTestingTests/ReportingEntryPoint.swift
          """)))
  }

  @Test func `the message of an exploration is whole`() async {
    #expect(
      await trap("() throws -> Store<State>, actions: [any Action]").contains(
        sentence(
          "`explore`", "called",
          """
          “nothing is counted” does not hold after 1 step. 1 step is enough, found in 1 try:
            in the commit of `CountAction.add(1)`
            the part is 1

            @Test func `nothing is counted`() async {
              let actions: [any Action] = [
                CountAction.add(1),
              ]
              await explore(store: makeStore, actions: actions, invariants: invariants)
            }
          """)))
  }

  @Test func `the message of a law is whole`() async {
    #expect(
      await trap("expectLawful<Root, Value>(_ lens:").contains(
        sentence(
          "`expectLawful`", "called",
          """
          The lens `count` breaks a law: what was written is what is read.
            root: LensedTestSupport.Desk(count: 0, title: "", notes: [])
            written: 1
            result: expected 1, is 0
          """)))
  }

  @Test func `the message of an owner is whole`() async {
    #expect(
      await trap("expectOwned<State, Value>(").contains(
        sentence(
          "`expectOwned`", "called",
          """
          The owner of `count` does not handle `NoteAction`. It handles `CountAction`, `ClearAction`. Add \
          `.on(NoteAction.self) { … }` to its mutator.
          """)))
  }

  @Test func `what a step skips is shown on the standard error stream`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let test = try TestStore(exhaustivity: .offShowingSkipped) { try Desk.makeStore() }
      await test.dispatch(CountAction.add(1))
      await test.finish()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Lensed: warning at OutsideOfTestsTests.swift:"))
    #expect(text.contains("`CountAction.add(1)` also changed what the test skips:"))
    #expect(text.contains("count: expected 0, is 1"))
  }

  @Test func `what a store under test finds is not written to the standard error stream`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let clock = ManualClock()
      let test = try TestStore(exhaustivity: .off) {
        try Store(initialState: Search()) { searchParts(.offline, clock) }
      }
      await test.dispatch(ElementAction(id: 1, action: Clear()))
      await test.dispatch(QueryChanged("a"))
      await clock.advance(by: .seconds(1))
      await test.receiveError(Offline.self)
      await explore(
        store: { clock in try Store(initialState: Search()) { searchParts(.offline, clock) } },
        actions: [QueryChanged("a"), NextDeadline(), ElementAction(id: 1, action: Clear())],
        invariants: [])
    }
    #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
  }

  @Test func `a promise that is kept says nothing`() async {
    await #expect(processExitsWith: .success) {
      let test = try TestStore { try Desk.makeStore() }
      await test.dispatch(CountAction.add(1)) { $0.count = 1 }
      await test.finish()
      expectLawful(\Desk.count, over: [Desk()], writing: [1])
      expectOwned(\.count, in: try Desk.makeStore(), by: CountAction.self)
      await explore(
        store: { try Desk.makeStore() }, actions: [CountAction.add(1)], invariants: [])
    }
  }

  @Test func `a task that inherits from the test is in it, and a detached one is not`() async {
    func isHeard() -> Bool { Reporter("a test").isHeard }
    let reporter = Reporter("a test")
    #expect(reporter.isHeard)
    #expect(await Task { isHeard() }.value)
    #expect(await Task { @MainActor in isHeard() }.value)
    #expect(
      await withTaskGroup(of: Bool.self) { group in
        group.addTask { isHeard() }
        return await group.next() ?? false
      })
    #expect(await !Task.detached { isHeard() }.value)
    // What was made in the test reports to it from anywhere.
    #expect(await Task.detached { reporter.isHeard }.value)
  }
}

@Suite struct `Functions of the test kit that report` {
  private struct Declaration: Hashable {
    let name: String
    let text: String
  }

  /// The declarations of the test kit, as `docs/interface.txt` has them.
  private func declarations() throws -> [Declaration] {
    let file = CodeRegions.package.appending(path: "docs/interface.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let own = try #require(lines.firstIndex(of: "## LensedTesting"))
    return zip(lines[own...], lines[own...].dropFirst()).compactMap { name, text in
      text.contains(" func ") || text.contains(" init")
        ? Declaration(name: String(name), text: String(text)) : nil
    }
  }

  @Test func `are all run outside of a test by these tests`() throws {
    let reporting = try declarations().filter { $0.text.contains("sourceLocation: SourceLocation") }
    #expect(reporting.count == ReportingEntryPoint.all.count)
    for declaration in reporting {
      let entries = ReportingEntryPoint.all.filter { entry in
        declaration.text.contains(entry.declaration)
      }
      #expect(entries.count == 1, "\(declaration.name): \(entries.map(\.declaration))")
    }
    for entry in ReportingEntryPoint.all {
      let found = reporting.filter { $0.text.contains(entry.declaration) }
      #expect(found.count == 1, "\(entry.declaration): \(found.map(\.name))")
    }
  }

  /// The check above knows them by the parameter that says where an issue stands.
  @Test func `report through one type, which asks for the place of the issue`() throws {
    let sources = CodeRegions.package.appending(path: "Sources/LensedTesting")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var recording: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      if text.contains("Issue.record") { recording.append(file.lastPathComponent) }
    }
    #expect(recording == ["Reporter.swift"])
  }
}
