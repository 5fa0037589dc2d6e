import Foundation
import LensedInspector
import LensedPersistence

/// `lensed-inspect FILE …`: opens a session, or the folder of a `Persistence`.
///
/// Exit statuses: 0, it did what was asked for; 1, the file is no whole session, the folder is damaged, or it has not
/// what was asked for; 2, the arguments mean nothing.
@main
enum InspectCommand {
  static func main() {
    // A reader that has seen enough closes the pipe: that is an error of the next write, and no signal.
    _ = signal(SIGPIPE, SIG_IGN)
    let output = Output()
    let status = run(Array(CommandLine.arguments.dropFirst()), output)
    output.flush()
    exit(status)
  }

  static let help = """
    lensed-inspect looks at the session of a store, as SessionRecorder(to:) writes it.

    lensed-inspect FILE [--to PAGE]          writes it as a page that a browser shows, and prints where
    lensed-inspect FILE actions              the commits: number, time, origin, actions
    lensed-inspect FILE state [PATH] --at N  the state after commit N, or a part of it
    lensed-inspect FILE diff N M             what differs between the states after two commits
    lensed-inspect FILE why PART [--at N]    the commit that last changed a part, and what set it off
    lensed-inspect FILE rows PART --id ID    what became of a row, commit by commit
    lensed-inspect FILE runs [EFFECT]        the runs of effects: since when each waited and ran, how it ended
    lensed-inspect FILE check                whether the file is whole, and what is in it
    lensed-inspect FILE redux                a lifted state that Redux DevTools import

    and at the folder of a Persistence, in which it changes nothing:

    lensed-inspect FOLDER [check]            its parts, commits and bytes, and what is unfinished or damaged, and where
    lensed-inspect FOLDER state [PATH]       the state that is kept, or a part of it

    --json  prints JSON, a value or one object on each line; errors are sentences on standard error all the same
    --help  prints this

    A path is like profile.name, rows[3] or rows[#7] (the row with id 7). A file that was cut off is read up to there.
    Of a chain of causes, why says the nearest 1,000 commits and the one that it began with.
    With --json, a line of why is a commit, {"omitted": how many}, {"missing": the number of a cause that is not in
    the file}, or, where nothing led to the value, {"part": …, "value": …, "unchanged": true}.
    Rows of a folder are told apart by the id in their JSON; sorted ones stand in the order they were written in.
    What a killed program left unfinished at the end of a folder is no damage: nobody was told that it is safe.
    Exit statuses: 0, done; 1, the file is no whole session, the folder is damaged, or it has not what was asked for;
    2, the arguments mean nothing.

    """

  static func run(_ arguments: [String], _ output: Output) -> Int32 {
    do {
      let options = try Options(arguments)
      if options.isHelp {
        output.write(help)
        return 0
      }
      if FolderInspection.isMeant(by: options) {
        return try FolderInspection(options, output).run()
      }
      do {
        return try Inspection(options, output).run()
      } catch SessionError.noSession(let file) {
        output.complain(
          FolderInspection.advice(on: options) ?? "\(SessionError.noSession(file: file))")
        return 1
      }
    } catch let error as UsageError {
      output.complain("\(error.sentence)\nlensed-inspect --help says what there is.")
      return 2
    } catch {
      output.complain("\(error)")
      return 1
    }
  }
}

/// The arguments mean nothing.
struct UsageError: Error {
  let sentence: String
}

/// The file has not what was asked for.
struct NotThere: Error, CustomStringConvertible {
  let description: String
}

/// What was asked for.
struct Options {
  var file = ""
  var command = "page"
  var operands: [String] = []
  var at: Int?
  var id: String?
  var page: String?
  var isJSON = false
  var isHelp = false

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var words: [String] = []
    var areOptionsOver = false
    while let argument = rest.popFirst() {
      if areOptionsOver || !argument.hasPrefix("-") || argument == "-" {
        words.append(argument)
        continue
      }
      switch argument {
      case "--": areOptionsOver = true
      case "--json": isJSON = true
      case "-h", "--help": isHelp = true
      case "--at":
        guard let text = rest.popFirst(), let number = Int(text), number >= 0 else {
          throw UsageError(sentence: "--at is followed by the number of a commit.")
        }
        at = number
      case "--id":
        guard let text = rest.popFirst() else {
          throw UsageError(sentence: "--id is followed by the id of a row.")
        }
        id = text
      case "--to":
        guard let text = rest.popFirst() else {
          throw UsageError(sentence: "--to is followed by the file to write the page to.")
        }
        page = text
      default: throw UsageError(sentence: "There is no option \(argument).")
      }
    }
    if isHelp { return }
    guard let file = words.first else {
      throw UsageError(sentence: "Name the file of a session, or the folder of a Persistence.")
    }
    self.file = file
    if words.count > 1 { command = words[1] }
    operands = Array(words.dropFirst(2))
    let allowed = [
      "page": 0...0, "actions": 0...0, "state": 0...1, "diff": 2...2, "why": 1...1,
      "rows": 1...1, "runs": 0...1, "check": 0...0, "redux": 0...0,
    ]
    guard let count = allowed[command] else {
      throw UsageError(sentence: "There is no command \(command).")
    }
    guard count.contains(operands.count) else {
      throw UsageError(
        sentence: "\(command) takes \(count.upperBound) operands, and was given \(operands.count).")
    }
    if command == "rows" && id == nil { throw UsageError(sentence: "rows needs --id.") }
  }
}

/// Standard output, in large pieces; quiet once its reader has gone.
final class Output {
  private var waiting: [UInt8] = []
  private let out: (_ bytes: [UInt8]) -> Bool
  private let error: (String) -> Void
  /// Whether the reader has gone.
  private(set) var isOver = false

  convenience init() {
    self.init(
      to: { bytes in
        (try? FileHandle.standardOutput.write(contentsOf: bytes)) != nil
      },
      complaining: { try? FileHandle.standardError.write(contentsOf: Data(($0 + "\n").utf8)) })
  }

  init(to out: @escaping ([UInt8]) -> Bool, complaining error: @escaping (String) -> Void) {
    (self.out, self.error) = (out, error)
  }

  func write(_ text: String) { write(text.utf8) }

  func write(_ bytes: some Sequence<UInt8>) {
    if isOver { return }
    waiting += bytes
    if waiting.count > 1 << 16 { flush() }
  }

  func line(_ text: String) { write(text + "\n") }

  func flush() {
    if !isOver && !waiting.isEmpty && !out(waiting) { isOver = true }
    waiting.removeAll(keepingCapacity: true)
  }

  func complain(_ sentence: String) {
    flush()
    error(sentence)
  }
}
