import Foundation
import Testing

@testable import repo_pulse

@Suite("Configurations that want a program run, or another reading")
struct HostileConfigurationTests {
  /// Each has git run a program somewhere; none of them in a run of this command.
  private static let programs = [
    "[core]\n fsmonitor = PROGRAM", "[core]\n fsmonitor = true",
    "[core]\n hooksPath = FOLDER/hooks",
    "[core]\n pager = PROGRAM\n[pager]\n log = PROGRAM\n rev-parse = PROGRAM",
    "[diff]\n external = PROGRAM", "[diff \"x\"]\n command = PROGRAM",
    "[diff \"x\"]\n textconv = PROGRAM\n cachetextconv = true",
    "[log]\n showSignature = true\n[gpg]\n program = PROGRAM",
    "[log]\n showSignature = true\n[gpg]\n format = ssh\n[gpg \"ssh\"]\n program = PROGRAM",
    "[alias]\n log = !PROGRAM\n rev-parse = !PROGRAM\n merge-base = !PROGRAM\n config = !PROGRAM",
    "[filter \"x\"]\n clean = PROGRAM\n smudge = PROGRAM\n process = PROGRAM\n required",
    "[core]\n editor = PROGRAM\n askPass = PROGRAM\n sshCommand = PROGRAM\n gitProxy = PROGRAM",
    "[credential]\n helper = !PROGRAM", "[core]\n alternateRefsCommand = PROGRAM",
    "[trailer \"x\"]\n command = PROGRAM\n cmd = PROGRAM", "[include]\n path = FOLDER/included",
    "[trace2]\n normalTarget = FOLDER/trace\n eventTarget = FOLDER/trace",
    "[gc]\n auto = 1\n[maintenance]\n auto = true\n strategy = incremental",
    "[fetch]\n writeCommitGraph = true\n[core]\n commitGraph = true",
  ]

  @Test func `none has a program run, or anything written`() async throws {
    let scene = try HostileScene(try TemporaryRepository.sample())
    try scene.repository.write("* diff=x filter=x\n", to: ".gitattributes")
    try scene.repository.commit("Add attributes", by: "Eve", at: "2024-01-07T10:00:00+00:00")
    try scene.sign()
    let hooks = "\(scene.folder)/hooks"
    try FileManager.default.createDirectory(atPath: hooks, withIntermediateDirectories: false)
    for hook in ["fsmonitor-watchman", "post-index-change", "reference-transaction", "pre-auto-gc"]
    {
      try scene.addProgram(at: "\(hooks)/\(hook)")
    }
    try Data(scene.filled("[core]\n fsmonitor = PROGRAM\n pager = PROGRAM\n").utf8)
      .write(to: URL(fileURLWithPath: "\(scene.folder)/included"))
    let plain = try await scene.look()
    for text in HostileConfigurationTests.programs {
      let outcome = try await scene.configured(text) { try await scene.look("\(text)") }
      #expect(outcome.status == 0, "\(text)")
      #expect(outcome.errors == "", "\(text)")
      #expect(outcome.output == plain.output, "\(text)")
    }
  }

  /// Each changes what a plain `git log` says.
  private static let readings = [
    "[i18n]\n logOutputEncoding = UTF-16", "[i18n]\n logOutputEncoding = ISO-8859-1",
    "[i18n]\n logOutputEncoding = EBCDIC-US", "[i18n]\n logOutputEncoding = UTF-7",
    "[i18n]\n logOutputEncoding = nonsense", "[i18n]\n commitEncoding = ISO-8859-1",
    "[diff]\n renames = false", "[diff]\n renames = copies", "[diff]\n renameLimit = 1",
    "[diff]\n orderFile = FOLDER/nowhere", "[diff]\n relative = true",
    "[diff]\n ignoreSubmodules = all\n submodule = log", "[core]\n bigFileThreshold = 1",
    "[core]\n attributesFile = FOLDER/binary", "[diff]\n algorithm = patience",
    "[log]\n showRoot = false\n follow = true\n date = relative\n decorate = full\n mailmap = false",
    "[color]\n ui = always\n diff = always\n[core]\n quotePath = false\n precomposeUnicode = true",
    "[format]\n pretty = oneline\n[log]\n diffMerges = first-parent\n abbrevCommit = true",
    "[diff]\n noprefix = true\n mnemonicPrefix = true\n wsErrorHighlight = all\n context = 0",
    "[notes]\n displayRef = *\n[core]\n notesRef = refs/notes/x\n abbrev = 4",
  ]

  @Test func `none changes what is read`() async throws {
    let scene = try HostileScene(try TemporaryRepository.sample())
    try FileManager.default.createDirectory(
      atPath: "\(scene.repository.path)/sub", withIntermediateDirectories: false)
    try scene.repository.write("sub\n", to: "sub/Öl.txt")
    for number in 1...3 { try scene.repository.write("\(number) of it\n", to: "many \(number)") }
    try scene.repository.commit("Öl für Łódź", by: "Łukasz", at: "2024-01-07T10:00:00+00:00")
    for number in 1...3 {
      try scene.repository.git("mv", "many \(number)", "moved \(number)")
      try scene.repository.write("\(number) of it\nmore\n", to: "moved \(number)")
    }
    try scene.repository.commit("Move", by: "Łukasz", at: "2024-01-08T10:00:00+00:00")
    try Data("* -diff\n".utf8).write(to: URL(fileURLWithPath: "\(scene.folder)/binary"))
    let place = "\(scene.repository.path)/sub"
    let plain = try await scene.look(at: place)
    #expect(plain.status == 0)
    #expect(plain.output.contains("\"Łukasz\""))
    for text in HostileConfigurationTests.readings {
      let outcome = try await scene.configured(text) { try await scene.look(at: place, "\(text)") }
      #expect(outcome.status == 0, "\(text)")
      #expect(outcome.errors == "", "\(text)")
      #expect(outcome.output == plain.output, "\(text)")
    }
  }
}

extension HostileScene {
  fileprivate func look(_ comment: Comment) async throws -> Outcome {
    try await look(["--json"], comment)
  }

  /// Makes the last commit one that claims to be signed.
  fileprivate func sign() throws {
    let commit = try repository.answer("cat-file", "commit", "HEAD")
    let signature =
      "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n\n"
    guard let headers = commit.range(of: "\n\n") else { return }
    let signed = commit.replacingCharacters(in: headers, with: "\n\(signature)")
    let file = "\(folder)/signed"
    try Data(signed.utf8).write(to: URL(fileURLWithPath: file))
    let id = try repository.answer("hash-object", "-t", "commit", "-w", file)
    try repository.git("reset", "--quiet", "--hard", id.trimmingCharacters(in: .newlines))
  }
}
