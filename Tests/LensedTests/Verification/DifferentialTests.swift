import LensedTestSupport
import Testing

/// Whatever stands beside a store without acting sends its commits another way, and changes nothing.
@Suite("The quick way is the slow way", .warnsOnPurpose, .timeLimit(.minutes(30)))
struct DifferentialTests {
  private typealias Program = DifferentialProgram

  @Test func `onlookers change neither the states nor the calls of observers`() async throws {
    var faults: [Program.Form: [String]] = [:]
    for seed in 1...UInt64(VerificationLength.programs) {
      let program = Program(seed: seed, steps: VerificationLength.programSteps)
      let plain = try await program.run(.plain)
      #expect(!plain.steps.contains { $0.hasPrefix(Program.stale) }, "seed \(seed): \(plain.steps)")
      for form in Program.Form.allCases where form != .plain {
        let other = try await program.run(form)
        if let fault = Self.difference(plain, other) {
          faults[form, default: []].append("seed \(seed): \(fault)")
        }
      }
    }
    for form in Program.Form.allCases {
      let found = faults[form] ?? []
      let place = "\(form): \(found.count) of \(VerificationLength.programs) programs"
      if let first = found.first { Issue.record("\(place); \(first)") }
    }
  }

  @Test func `a program is repeated by its seed`() async throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      let program = Program(seed: seed, steps: VerificationLength.programSteps)
      let (first, second) = (try await program.run(.plain), try await program.run(.plain))
      #expect(Self.difference(first, second) == nil, "seed \(seed)")
    }
  }

  @Test func `programs are of some use`() async throws {
    var (calls, states) = (0, 0)
    for seed in 1...20 as ClosedRange<UInt64> {
      let program = Program(seed: seed, steps: VerificationLength.programSteps)
      let outcome = try await program.run(.plain)
      calls += outcome.calls.count
      states += Set(outcome.states.map(\.digest)).count
    }
    #expect(calls > 400 && states > 100, "\(calls) calls, \(states) states")
  }

  /// Where two runs of one program part, in words.
  private static func difference(
    _ plain: Program.Outcome, _ other: Program.Outcome
  ) -> String? {
    for (index, pair) in zip(plain.states, other.states).enumerated() where pair.0 != pair.1 {
      return "after \(plain.steps.prefix(index + 1)) the state is \(pair.0) or \(pair.1)"
    }
    if plain.steps != other.steps { return "\(plain.steps) or \(other.steps)" }
    if plain.calls == other.calls { return nil }
    let same = zip(plain.calls, other.calls).prefix { $0.0 == $0.1 }.count
    return """
      after \(same) calls observers hear \(plain.calls.dropFirst(same).prefix(4)) or \
      \(other.calls.dropFirst(same).prefix(4)) in \(plain.steps)
      """
  }
}
