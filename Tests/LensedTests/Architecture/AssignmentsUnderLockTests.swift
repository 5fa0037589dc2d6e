import Foundation
import LensedTestSupport
import Testing

/// An assignment releases what was there, and its `deinit` may be a user's.
///
/// Under a lock that code would meet a lock that its own thread holds. So what may hold a user's object is
/// replaced by `exchange` or `take()`, and released after unlocking. The other assignments are listed here, each
/// with the reason why it releases nothing of the sort.
@Suite("Assignments under a lock release nothing of a user's")
struct AssignmentsUnderLockTests {
  /// Of each file, what is assigned to under a lock, and why that is harmless.
  private static let known: [String: [String: String]] = [
    "AsyncRunner": ["$0": "the caller holds the former one", "$0.value": "nil before"],
    "ChangeLog": ["own": "nil before, or the same", "$0.phase": "a case"],
    "CommitSnapshot": ["$0": "nil before: set once, in the commit"],
    "Debounce": ["state": "a duration and a flag", "$0": "an object of ours with these"],
    "EffectContext": ["$0": "nil before: only the first state is kept"],
    "EffectDeferrals": ["pending.newest": "a weak reference"],
    "FeatureLife": ["guarded.children": "nil before: the children are taken out"],
    "Finish": ["state.effectError": "nil before"],
    "JobQueue": ["next": "nil before"],
    "Owner": ["known": "nil before"],
    "PartCapture": [
      "$0": "numbers, or rows that the work after the commit holds", "aside.waiting": "nil before",
    ],
    "PartHistory": ["_": "nil: nothing was there", "isResolved": "a flag", "value": "nil before"],
    "RunEnding": ["state.ender": "a case"],
    "RunTrace": [
      "$0.carrier": "an identity", "state.running": "a duration",
      "run.running": "a duration", "run.ended": "nil before",
    ],
    "SessionRecorder": [
      "session": "nil before", "$0": "nil before", "parts": "returned, to be released later",
    ],
    "Store+CommitLog": ["$0": "nil before"],
    "StoreCore+Warnings": ["keys": "texts"],
    "ValueWatcher": [
      "start.watch": "nil before, or the same",
      "$0": "nil before: the watches are taken out while they are used",
    ],
    "WorkNode": [
      "$0.operation": "nil before", "state.task": "nil before",
      "$0.context": "nil before, or the same", "state.registryIndex": "a number",
      "own.parent": "the caller holds the former one", "$0.parent": "the caller is the former one",
      "next": "nil before", "unseen": "nil before",
    ],
    "CancellationPass": [
      "children": "a list of works that their parent holds",
      "state.registryIndex": "a number", "state.isStopDue": "a flag",
    ],
  ]

  private struct Assignment: Hashable {
    let file: String
    let target: String
  }

  @Test func `those that are there are those that are known`() throws {
    let found = try Set(Self.sources().flatMap { Self.assignments(in: $0.code, of: $0.name) })
    let known = Set(
      Self.known.flatMap { file, targets in
        targets.keys.map { Assignment(file: file, target: $0) }
      })
    #expect(found.count > 30, "assignments are found at all")
    let new = found.subtracting(known).map { "\($0.file): \($0.target)" }.sorted()
    #expect(new == [], "use exchange or take(), and release what was there after unlocking")
    let gone = known.subtracting(found).map { "\($0.file): \($0.target)" }.sorted()
    #expect(gone == [], "no longer there")
  }

  @Test func `an assignment is found, whatever its closure looks like`() {
    let code = """
      lock.withLock { $0 = new }
      let old = lock.withLock { value in
        let former = value.part
        value.part = new
        if value.isOpen { value.other = nil }
        return former
      }
      lock.withLock({ $0.list = [] })
      lock.withLock { $0.flag = true }
      lock.withLock { if $0 == new { count += 1 } }
      elsewhere.part = new
      """
    let found = Self.assignments(in: code, of: "File").map(\.target)
    #expect(found == ["$0", "value.part", "value.other", "$0.list"])
  }

  /// The assignments in closures of `withLock`, but for those of a literal flag, number or case.
  private static func assignments(in code: String, of file: String) -> [Assignment] {
    let opening = /\.withLock\s*\(?\s*\{/
    let assignment =
      /(?:^|[{;,]|\bin\b)[ \t]*(?<target>[a-zA-Z_$][\w.$?!]*) = (?<value>[^\n]*)/
      .anchorsMatchLineEndings()
    let harmless = /(true|false|\d+|\.\w+)[ \t]*[})]*/
    return code.matches(of: opening).flatMap { match -> [Assignment] in
      let body = String(closure(in: code, from: match.range.upperBound))
      return body.matches(of: assignment).compactMap { found in
        if found.value.wholeMatch(of: harmless) != nil { return nil }
        return Assignment(file: file, target: String(found.target))
      }
    }
  }

  /// What stands between a brace that was opened before `start` and the one that closes it.
  private static func closure(in code: String, from start: String.Index) -> Substring {
    var depth = 1
    var end = start
    while end < code.endIndex {
      if code[end] == "{" { depth += 1 }
      if code[end] == "}" { depth -= 1 }
      if depth == 0 { break }
      end = code.index(after: end)
    }
    return code[start..<end]
  }

  private static func sources() throws -> [(name: String, code: String)] {
    let folder = CodeRegions.package.appending(path: "Sources/Lensed")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? [])
      .filter { $0.pathExtension == "swift" }
      .map { file in
        let text = try String(contentsOf: file, encoding: .utf8)
        return (file.deletingPathExtension().lastPathComponent, SourceText.code(in: text))
      }
  }
}
