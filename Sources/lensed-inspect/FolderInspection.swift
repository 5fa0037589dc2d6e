import Foundation
import Lensed
import LensedPersistence

/// One command on the folder of a `Persistence`, carried out.
struct FolderInspection {
  private let options: Options
  private let output: Output
  private let url: URL

  init(_ options: Options, _ output: Output) {
    (self.options, self.output) = (options, output)
    url = URL(filePath: options.file).resolvingSymlinksInPath()
  }

  /// Whether what was named is a folder.
  static func isMeant(by options: Options) -> Bool {
    let url = URL(filePath: options.file).resolvingSymlinksInPath()
    return (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
  }

  /// Says of a file that is no session which folder to give, if it is of a `Persistence`.
  static func advice(on options: Options) -> String? {
    let url = URL(filePath: options.file)
    if !KeptFolder.isPiece(url) { return nil }
    let folder = url.deletingLastPathComponent().relativePath
    return """
      \(options.file) is one file of what a Persistence keeps, and means nothing without the others: give the folder, \
      lensed-inspect \(folder) check.
      """
  }

  /// Carries it out.
  ///
  /// - Returns: The exit status.
  /// - Throws: `NotThere`, `UsageError`, and `PersistenceError`.
  func run() throws -> Int32 {
    if options.at != nil || options.id != nil || options.page != nil {
      throw UsageError(
        sentence: "A folder has its last state alone: --at, --id and --to are for sessions.")
    }
    switch options.command {
    case "page", "check": return try check()
    case "state": return try state()
    case let command:
      throw UsageError(
        sentence:
          "\(options.file) is a folder, which takes check and state: \(command) is for sessions.")
    }
  }

  private func read(salvaging: Bool) throws -> KeptFolder {
    let folder: KeptFolder
    do throws(PersistenceError) {
      folder = try KeptFolder(url, salvages: salvaging)
    } catch {
      guard case .storage(let fault) = error else { throw error }
      if fault.reason == .missing {
        throw NotThere(
          description: """
            \(options.file) changed while it was read, as its program wrote a snapshot: ask again.
            """)
      }
      throw NotThere(
        description:
          "\(options.file) cannot be read: \(fault). See that this user can read what is in it.")
    }
    if folder.isOfGroup {
      throw NotThere(
        description: """
          \(options.file) is the folder of a PersistenceGroup: name one of the folders in it, each of them is that of \
          a store.
          """)
    }
    if folder.files.isEmpty {
      throw NotThere(
        description: """
          \(options.file) has nothing that a Persistence keeps: no segment and no snapshot. Name the folder that the \
          program gives to Persistence(in:).
          """)
    }
    return folder
  }

  private func line(_ text: String) { output.line(Words.plain(text)) }

  private func state() throws -> Int32 {
    let folder = try read(salvaging: false)
    let path = options.operands.first ?? ""
    let untold = folder.parts.filter(\.hasUntoldRows).map(\.name)
    guard let value = folder.state.value(at: path) else {
      let part = untold.first { path == $0 || path.hasPrefix("\($0).") || path.hasPrefix("\($0)[") }
      throw NotThere(
        description: part.map(Self.absence) ?? "There is nothing at \(code: path).")
    }
    output.line(options.isJSON ? value.text : Words.pretty(value))
    if !path.isEmpty { return 0 }
    for part in untold { output.complain(Self.absence(of: part)) }
    return untold.isEmpty ? 0 : 1
  }

  private static func absence(of part: String) -> String {
    "\(code: part) is not shown: it has \(untoldRows)."
  }

  private static let untoldRows =
    "rows without an `id` in their JSON: only the program tells them apart"

  private func check() throws -> Int32 {
    let folder = try read(salvaging: true)
    let (losses, tail) = (folder.recovery.losses, folder.recovery.tornTail)
    if options.isJSON {
      output.line(json(of: folder).text)
      return losses.isEmpty ? 0 : 1
    }
    line(
      "\(folder.parts.count) parts, \(folder.commits) commits, the last one is #\(folder.lastCommit)"
    )
    line("\(folder.bytes) bytes in \(folder.files.joined(separator: ", "))")
    for part in folder.parts {
      let what =
        part.hasUntoldRows
        ? Self.untoldRows : part.ids == nil ? "a value" : "\(Self.count(part)) rows"
      line("\(code: part.name), version \(part.version): \(what)")
    }
    if let tail {
      line(
        "\(tail.file) ends in an unfinished write, from byte \(tail.byte) on: it was never synced, and is not read"
      )
    }
    if !folder.setAside.isEmpty {
      line("set aside: \(folder.setAside.joined(separator: ", "))")
    }
    for loss in losses { line("\(loss)") }
    if losses.isEmpty { line("whole") }
    return losses.isEmpty ? 0 : 1
  }

  private static func count(_ part: KeptFolder.Part) -> Int {
    part.value.list?.count ?? part.value.members?.count ?? 0
  }

  private func rows(of part: KeptFolder.Part) -> JSONText {
    part.hasUntoldRows ? .null : .number("\(Self.count(part))")
  }

  private func json(of folder: KeptFolder) -> JSONText {
    let parts = folder.parts.map { part in
      JSONText.object(
        [.init("name", .string(part.name)), .init("version", .number("\(part.version)"))]
          + (part.ids == nil ? [] : [.init("rows", rows(of: part))]))
    }
    let losses = folder.recovery.losses.map { loss in
      let place: [JSONText.Member] =
        loss.place.map { [.init("file", .string($0.file)), .init("byte", .number("\($0.byte)"))] }
        ?? []
      return JSONText.object(place + [.init("problem", .string("\(loss)"))])
    }
    let tail = folder.recovery.tornTail.map {
      JSONText.object([.init("file", .string($0.file)), .init("byte", .number("\($0.byte)"))])
    }
    return .object([
      .init("whole", .bool(losses.isEmpty)), .init("parts", .list(parts)),
      .init("commits", .number("\(folder.commits)")),
      .init("lastCommit", .number("\(folder.lastCommit)")),
      .init("bytes", .number("\(folder.bytes)")),
      .init("files", .list(folder.files.map(JSONText.string))), .init("torn", tail ?? .null),
      .init("setAside", .list(folder.setAside.map(JSONText.string))),
      .init("damage", .list(losses)),
    ])
  }
}

extension PersistenceError {
  /// Where what it says was found.
  fileprivate var place: (file: String, byte: UInt64)? {
    switch self {
    case .damaged(let file, let byte, _), .newerVersion(_, _, _, let file, let byte),
      .noMigration(_, _, _, let file, let byte), .undecodable(_, _, let file, let byte, _),
      .keptOtherwise(_, let file, let byte):
      (file, byte)
    default: nil
    }
  }
}
