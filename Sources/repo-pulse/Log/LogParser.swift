/// One commit of the log: its header and what it did to each file.
struct LogCommit: Equatable, Sendable {
  var header: CommitAction
  var files: [FileAction] = []
}

/// Cuts the bytes of a log into commits, whatever the chunks they come in.
///
/// With `-z`, git ends each field of the format and each path with a zero byte, which no name, path
/// or subject can contain. So a name may hold tabs, line breaks or bytes that are no UTF-8.
struct LogParser {
  /// What git is to be asked for: the arguments that make it write what this parser reads.
  ///
  /// Each stands above what a configuration has to say on its matter.
  static let arguments: [ByteString] = [
    "-z", "--numstat", "--encoding=UTF-8", "--format=commit %H%x00%P%x00%aN%x00%aI%x00%s",
    "--find-renames", "-l1000", "-O/dev/null", "--diff-algorithm=myers",
    "--ignore-submodules=none", "--no-color", "--no-ext-diff", "--no-textconv",
    "--no-show-signature",
  ]

  /// What the next field of the log is.
  private enum Expectation {
    case record
    case parents
    case author
    case date
    case subject
    case formerPath(Lines?)
    case path(Lines?, formerPath: ByteString)
  }

  private var buffer: [UInt8] = []
  private var consumed = 0
  private var searched = 0
  private var expectation = Expectation.record
  private var commit: LogCommit?

  mutating func append(_ bytes: [UInt8]) {
    if consumed == buffer.count {
      buffer = bytes
    } else {
      buffer.removeSubrange(..<consumed)
      buffer += bytes
    }
    searched -= consumed
    consumed = 0
  }

  /// The next commit that is complete, or nil when more bytes are needed to tell.
  mutating func next() throws(Failure) -> LogCommit? {
    while let end = buffer[searched...].firstIndex(of: 0) {
      let field = buffer[consumed..<end]
      consumed = end + 1
      searched = consumed
      if let complete = try read(field) { return complete }
    }
    searched = buffer.count
    return nil
  }

  /// The last commit, which nothing but the end of the log completes.
  mutating func finish() throws(Failure) -> LogCommit? {
    guard case .record = expectation, consumed == buffer.count else {
      throw .malformedLog("it ends in the middle of a commit")
    }
    defer { commit = nil }
    return commit
  }

  private mutating func read(_ field: ArraySlice<UInt8>) throws(Failure) -> LogCommit? {
    switch expectation {
    case .record:
      return try readRecord(field)
    case .parents:
      commit?.header.isMerge = field.contains(UInt8(ascii: " "))
      expectation = .author
    case .author:
      commit?.header.author = ByteString(field)
      expectation = .date
    case .date:
      commit?.header.moment = Moment(utf8: field)
      expectation = .subject
    case .subject:
      commit?.header.subject = field.text
      expectation = .record
    case .formerPath(let lines):
      expectation = .path(lines, formerPath: ByteString(field))
    case .path(let lines, let formerPath):
      commit?.files.append(
        FileAction(path: ByteString(field), formerPath: formerPath, lines: lines))
      expectation = .record
    }
    return nil
  }

  private mutating func readRecord(_ field: ArraySlice<UInt8>) throws(Failure) -> LogCommit? {
    if field.starts(with: "commit ".utf8) {
      let complete = commit
      let id = field.dropFirst("commit ".utf8.count).text
      commit = LogCommit(
        header: CommitAction(id: id, author: "", moment: nil, subject: "", isMerge: false))
      expectation = .parents
      return complete
    }
    // Two counts and a path, which is empty when two paths follow.
    let record = field.first == UInt8(ascii: "\n") ? field.dropFirst() : field
    let parts = record.split(
      separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
    var lines: Lines?
    if parts.count == 3, let added = parts[0].decimal, let deleted = parts[1].decimal {
      lines = Lines(added: added, deleted: deleted)
    }
    let isBinary = parts.count == 3 && parts[..<2].allSatisfy { $0.elementsEqual("-".utf8) }
    guard commit != nil, lines != nil || isBinary else {
      throw .malformedLog("this is neither a commit nor a file: \(field.prefix(80).text)")
    }
    if parts[2].isEmpty {
      expectation = .formerPath(lines)
    } else {
      commit?.files.append(FileAction(path: ByteString(parts[2]), lines: lines))
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// What is no UTF-8 becomes a replacement character.
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }

  /// A number of digits alone, and of no more than twelve: so many can be added up.
  var decimal: Int? {
    let zero = UInt8(ascii: "0")
    guard !isEmpty, count < 13, allSatisfy({ (zero...zero + 9).contains($0) }) else { return nil }
    return reduce(0) { $0 * 10 + Int($1 - zero) }
  }
}
