/// Where a repository is, and how git is to be run there: to read, and nothing else.
struct Repository: Sendable {
  /// The folder the user named; nil leaves the choice to git, as in any other command.
  let folder: ByteString?
  let environment: [String: String]

  init(folder: ByteString?, environment: [String: String]) {
    self.folder = folder
    self.environment = Repository.harmless(environment)
  }

  /// The name to use in messages and titles.
  var name: String { folder?.text ?? "the current directory" }

  func git(_ arguments: [ByteString]) throws(Failure) -> GitProcess {
    let place: [ByteString] = folder.map { ["-C", $0] } ?? []
    let settings = Repository.settings.flatMap { ["-c", $0] as [ByteString] }
    return try GitProcess(
      arguments: ["--no-pager"] + settings + place + arguments, environment: environment)
  }

  /// Why git would not read the log: asked of git itself, whose wording differs between versions.
  func diagnosis(of ending: GitProcess.Ending, hasRead: Bool = false) async -> Failure {
    do throws(Failure) {
      let place = await answer(to: try git(["rev-parse", "--git-dir"]))
      if place.status != 0 {
        return hasRead ? .git(ending.complaint) : .notARepository(name, place.complaint)
      }
      let head = await answer(to: try git(["rev-parse", "--verify", "--quiet", "HEAD"]))
      if head.status != 0, !hasRead { return .noCommits(name) }
      let promises = await answer(to: try git(["config", "--get-regexp", Repository.promises]))
      return promises.status == 0
        ? .missingObjects(name, ending.complaint) : .git(ending.complaint)
    } catch {
      return error
    }
  }

  /// The absolute path of the folder that the repository's name is to be taken from.
  func title() async -> String {
    guard let process = try? git(["rev-parse", "--absolute-git-dir"]) else { return name }
    var path = (await answer(to: process)).text.split(separator: "/")
    if path.last == ".git" {
      path.removeLast()
    }
    return path.last.map(String.init) ?? name
  }

  /// The commit that is checked out; nil on a branch that has none yet.
  func head() async throws(Failure) -> String? {
    let answer = await answer(to: try git(["rev-parse", "--verify", "--quiet", "HEAD"]))
    switch answer.status {
    case 0: return answer.text
    case 1: return nil
    default: throw await diagnosis(of: answer)
    }
  }

  /// Whether the history of one commit goes on to another; not if git has lost the first.
  func leads(from former: String, to commit: String) async throws(Failure) -> Bool {
    let question = ["merge-base", "--is-ancestor", ByteString(former), ByteString(commit)]
    return await answer(to: try git(question)).status == 0
  }

  private func answer(to process: GitProcess) async -> GitProcess.Ending {
    var text: [UInt8] = []
    while let chunk = try? await process.output.next() {
      text += chunk
    }
    var ending = await process.ending()
    ending.text = String(decoding: text, as: UTF8.self)
    while ending.text.last?.isNewline == true {
      ending.text.removeLast()
    }
    return ending
  }
}
