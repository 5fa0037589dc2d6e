import Foundation
import Testing

@testable import repo_pulse

@Suite("Environments that lead elsewhere") struct HostileEnvironmentTests {
  private static let variables: [[String: String]] = [
    ["GIT_DIR": "FOLDER/nowhere"], ["GIT_WORK_TREE": "FOLDER/nowhere"],
    ["GIT_COMMON_DIR": "FOLDER/nowhere"], ["GIT_OBJECT_DIRECTORY": "FOLDER/nowhere"],
    ["GIT_INDEX_FILE": "FOLDER/nowhere"], ["GIT_NAMESPACE": "x"], ["GIT_PREFIX": "x/"],
    ["GIT_ALTERNATE_OBJECT_DIRECTORIES": "FOLDER/nowhere"], ["GIT_SHALLOW_FILE": "FOLDER/shallow"],
    ["GIT_GRAFT_FILE": "FOLDER/grafts"], ["GIT_CONFIG": "FOLDER/nowhere"],
    ["GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='PROGRAM' 'diff.renames'='false'"],
    ["GIT_CONFIG_PARAMETERS": "nonsense"],
    [
      "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "diff.external", "GIT_CONFIG_VALUE_0": "PROGRAM",
    ],
    ["GIT_CONFIG_COUNT": "x"], ["GIT_INTERNAL_SUPER_PREFIX": "x"],
    ["GIT_TRACE": "FOLDER/trace", "GIT_TRACE_SETUP": "FOLDER/trace"],
    ["GIT_TRACE2": "FOLDER/trace", "GIT_TRACE2_EVENT": "FOLDER/trace"],
    ["GIT_TRACE2_PERF": "FOLDER/trace", "GIT_TRACE_PERFORMANCE": "FOLDER/trace"],
    ["GIT_TRACE": "1", "GIT_TRACE2": "1"], ["GIT_EXTERNAL_DIFF": "PROGRAM"],
    ["GIT_PAGER": "PROGRAM", "PAGER": "PROGRAM", "GIT_PAGER_IN_USE": "1"],
    ["GIT_SSH_COMMAND": "PROGRAM", "GIT_SSH": "PROGRAM", "GIT_ASKPASS": "PROGRAM"],
    ["GIT_EDITOR": "PROGRAM", "EDITOR": "PROGRAM", "SSH_ASKPASS": "PROGRAM"],
    ["GIT_EXEC_PATH": "FOLDER/nowhere"], ["GIT_DIFF_OPTS": "--unified=0"],
    ["GIT_REF_PARANOIA": "x"], ["GIT_FLUSH": "x"], ["GIT_OPTIONAL_LOCKS": "1"],
    ["GIT_LITERAL_PATHSPECS": "1", "GIT_ICASE_PATHSPECS": "1", "GIT_GLOB_PATHSPECS": "1"],
    ["LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"], ["LC_ALL": "tr_TR.ISO-8859-9"], ["TZ": "Nowhere"],
    ["GIT_DEFAULT_HASH": "sha256"], ["GIT_ATTR_SOURCE": "nowhere"], ["HOME": "FOLDER/nowhere"],
  ]

  @Test func `none leads to another repository, another reading, a program or a file`() async throws
  {
    let scene = try HostileScene(try TemporaryRepository.sample())
    let plain = try await scene.look()
    let head = try scene.repository.answer("rev-parse", "HEAD")
    try Data(head.utf8).write(to: URL(fileURLWithPath: "\(scene.folder)/shallow"))
    try Data(head.utf8).write(to: URL(fileURLWithPath: "\(scene.folder)/grafts"))
    for variables in HostileEnvironmentTests.variables {
      let outcome = try await scene.look(with: variables, "\(variables)")
      #expect(outcome.status == 0, "\(variables)")
      #expect(outcome.errors == "", "\(variables)")
      #expect(outcome.output == plain.output, "\(variables)")
    }
  }

  /// What this git itself says it is led by.
  @Test func `no variable that git calls local to a repository is handed on`() throws {
    let repository = try TemporaryRepository()
    let names = try repository.answer("rev-parse", "--local-env-vars").split(separator: "\n")
    #expect(names.count > 10)
    let environment = Dictionary(uniqueKeysWithValues: names.map { (String($0), "x") })
    let harmless = Repository(folder: nil, environment: environment).environment
    #expect(harmless.values.allSatisfy { $0 != "x" })
  }
}
