import Foundation
import Lensed
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite("Names of any bytes") struct HostileNameTests {
  /// Two names that are one where somebody repairs or normalises them.
  struct Pair: CustomTestStringConvertible {
    let first: [UInt8]
    let second: [UInt8]

    init(_ first: [UInt8], _ second: [UInt8]) {
      (self.first, self.second) = (first, second)
    }

    init(_ first: String, _ second: String) {
      self.init(Array(first.utf8), Array(second.utf8))
    }

    var testDescription: String { "\(first) and \(second)" }
  }

  private static let pairs = [
    Pair("\u{E9}", "e\u{301}"), Pair("\u{C5}", "\u{212B}"), Pair("\u{1E69}", "s\u{307}\u{323}"),
    Pair("s\u{307}\u{323}", "s\u{323}\u{307}"), Pair("\u{AC00}", "\u{1100}\u{1161}"),
    Pair("x\u{FFFD}", "x\u{212B}"), Pair([0x61, 0xE9], [0x61, 0xE8]),
    Pair([0xE9], [0xEF, 0xBF, 0xBD]),
    Pair([0xC0, 0xAF], [0xC1, 0xAF]), Pair([0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF]),
    Pair([0xF0, 0x9F], [0xF0, 0x9E]), Pair([0x65, 0xCC, 0x81, 0xFF], [0xC3, 0xA9, 0xFF]),
    Pair(Array("\u{E9}".utf8) + [0xFF], Array("\u{E9}".utf8) + [0xFE]),
  ]

  private func state(of outcome: Outcome) throws -> PulseState {
    try JSONDecoder().decode(PulseState.self, from: Data(outcome.output.utf8))
  }

  /// Reads, records and replays a history, and gives the state that all three agree on.
  private func state(of history: ImportedHistory) async throws -> PulseState {
    let scene = try HostileScene(try TemporaryRepository())
    try scene.repository.importHistory(history.stream)
    let plain = try await scene.look()
    #expect(plain.status == 0)
    #expect(plain.errors == "")
    let file = "\(scene.folder)/recording"
    let recorded = await run(
      "--json", "--record", file, scene.repository.path, in: scene.repository)
    #expect(recorded.output == plain.output)
    #expect(recorded.errors == "")
    #expect(await run("--json", "--replay", file, in: scene.repository).output == plain.output)
    #expect(await run(scene.repository.path, in: scene.repository).status == 0)
    return try state(of: plain)
  }

  /// What is looked at in one history: all of them, and in the long form each alone.
  private static func histories<Name>(of names: [Name]) -> [[Name]] {
    VerificationLength.factor > 1 ? names.map { [$0] } : [names]
  }

  @Test(arguments: histories(of: pairs)) func `two paths of other bytes are two files`(
    pairs: [Pair]
  ) async throws {
    var history = ImportedHistory()
    var names: Set<[UInt8]> = []
    for (number, pair) in pairs.enumerated() {
      for name in [pair.first, pair.second] {
        let path = Array("\(number)/".utf8) + name
        history.commit(of: path)
        names.insert(path)
      }
    }
    let files = try await state(of: history).files
    #expect(Set(files.filter { $0.changes > 0 }.map { $0.name.bytes }) == names)
    #expect(names.count == 2 * pairs.count)
    #expect(files.allSatisfy { $0.changes == 1 })
  }

  @Test(arguments: histories(of: pairs)) func `two authors of other bytes are two authors`(
    pairs: [Pair]
  ) async throws {
    var history = ImportedHistory()
    for (number, pair) in pairs.enumerated() {
      for (index, name) in [pair.first, pair.second].enumerated() {
        history.commit(of: Array("\(number).\(index)".utf8), by: Array("\(number)".utf8) + name)
      }
    }
    let authors = try await state(of: history).authors
    #expect(authors.count == 2 * pairs.count)
    #expect(authors.allSatisfy { $0.commits == 1 && $0.lines.added == 1 })
  }

  @Test(arguments: histories(of: pairs)) func `a rename between two paths of other bytes is one`(
    pairs: [Pair]
  ) async throws {
    var history = ImportedHistory()
    var names: Set<[UInt8]> = []
    for (number, pair) in pairs.enumerated() {
      let folder = Array("\(number)/".utf8)
      history.commit(of: folder + pair.first)
      history.rename(folder + pair.first, to: folder + pair.second)
      names.insert(folder + pair.second)
    }
    let files = try await state(of: history).files
    #expect(Set(files.filter { $0.changes > 0 }.map { $0.name.bytes }) == names)
    #expect(files.filter { $0.changes > 0 }.allSatisfy { $0.changes == 2 })
    #expect(files.filter { $0.today != nil }.count == pairs.count)
  }

  private static let odd: [OneLine] = [
    "-rf", "--json", "a\nb", "a\tb", "\"q\"", "a\\b", "commit x", "1\t2\tx", " ", "~", "$HOME",
    ":(glob)*", "\u{1B}[2J", "{a => b}", "a => b", "a/b/{c => d}/e", "\u{202E}x", "\r\n", "*",

    "COM1", "a|b>c", "%00", "\u{FEFF}x", OneLine(String(repeating: "long/", count: 700) + "x"),
  ]

  @Test(arguments: histories(of: odd)) func `a name that means something elsewhere is a name`(
    names: [OneLine]
  ) async throws {
    var history = ImportedHistory()
    for name in names {
      history.commit(of: Array(name.text.utf8), subject: Array(name.text.utf8))
    }
    let state = try await state(of: history)
    #expect(
      Set(state.files.filter { $0.changes > 0 }.map { $0.name.bytes })
        == Set(names.map { Array($0.text.utf8) }))
    #expect(state.files.count == names.count)
    #expect(state.totals.commits == names.count)
  }

  @Test(arguments: [
    "ISO-8859-1", "UTF-16", "UTF-7", "UTF-8", "EBCDIC-US", "nonsense", "", "UTF-8 UTF-16", "C",
  ])
  func `a commit of any encoding is a commit`(encoding: String) async throws {
    var history = ImportedHistory()
    history.commit(
      of: [0x61], by: [0x4A, 0xF6], subject: Array("+AAA- +AAo- caf".utf8) + [0xE9],
      encoding: encoding)
    let state = try await state(of: history)
    #expect(state.totals.commits == 1)
    #expect(state.totals.lines.added == 1)
    if encoding == "ISO-8859-1" { #expect(state.authors[id: "Jö"]?.commits == 1) }
  }

  @Test(arguments: [
    "0 +0000", "4294967296 +0000", "253402300799 +0000", "253402300800 +0000",
    "9999999999999 +0000", "99999999999999999 +0000", "1700000000 +9999", "1700000000 -9999",
  ])
  func `a commit of any time is a commit`(time: String) async throws {
    var history = ImportedHistory()
    history.commit(of: [0x61], at: time)
    #expect(try await state(of: history).totals.commits == 1)
  }

  private static let objects: [OneLine] = [
    "", "author\n", "author A <a@x> 99999999999999999999999 +0000\n", "author A <a@x> -1 +0000\n",
    "author A <a@x> x y\n", "author A <a@x>\n", "author A\n", "author <> 0 +0000\n",
    "author A <a@x> 1 +0000\nauthor B <b@x> 2 +0000\n", "author A <<<>>> 1 +0000\n",
    "author A <a@x> 18446744073709551615 +0000\n", "author A <a@x> 1 +99999999999\n",
    "encoding UTF-16\nauthor A <a@x> 1 +0000\n", "parent x\n", "gpgsig x\n y\n",
    "author A <a@x> 1 -1200\n",
  ]

  @Test(arguments: objects) func `a damaged commit ends in a status and a sentence`(
    headers: OneLine
  )
    async throws
  {
    let scene = try HostileScene(try TemporaryRepository())
    let file = "\(scene.folder)/object"
    try Data("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\(headers.text)\nIt\n".utf8)
      .write(to: URL(fileURLWithPath: file))
    let id = try scene.repository.answer("hash-object", "-t", "commit", "-w", "--literally", file)
    _ = try scene.repository.answer("hash-object", "-t", "tree", "-w", "/dev/null")
    try Data(id.utf8).write(
      to: URL(fileURLWithPath: "\(scene.repository.path)/.git/refs/heads/main"))
    let outcome = try await scene.look()
    #expect([0, 65, 70].contains(outcome.status))
    #expect(outcome.status == 0 || outcome.errors.hasPrefix("repo-pulse: "))
    if outcome.status == 0 { #expect(try state(of: outcome).totals.commits == 1) }
  }
}

extension ImportedHistory {
  /// A commit that gives a file another name.
  mutating func rename(_ path: [UInt8], to other: [UInt8]) {
    commit(of: other)
    // The last commit made the file anew; this takes the former one away in the same commit.
    stream.removeLast()
    stream += Array("D \(ImportedHistory.quoted(path))\n\n".utf8)
  }
}
