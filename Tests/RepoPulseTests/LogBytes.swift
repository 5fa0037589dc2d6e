@testable import repo_pulse

/// Writes a log as git would: every field ended by a zero byte.
struct LogBytes {
  var bytes: [UInt8] = []

  mutating func commit(
    _ id: String = "c0ffee", parents: String = "beef", author: String = "Ada",
    date: String = "2024-02-29T23:30:00+09:00", subject: String = "Fix the parser"
  ) {
    for field in ["commit \(id)", parents, author, date, subject] {
      add(field)
    }
  }

  mutating func add(_ field: String) {
    bytes += Array(field.utf8) + [0]
  }

  /// A log of one commit by `author` for each number, that many lines of one file added.
  static func history(of author: String, adding counts: [Int]) -> LogBytes {
    var log = LogBytes()
    for (index, count) in counts.enumerated() {
      log.commit("\(index)", author: author)
      log.add("\n\(count)\t0\tfile")
    }
    return log
  }

  func parsed(inChunksOf size: Int = .max) throws -> [LogCommit] {
    var parser = LogParser()
    var commits: [LogCommit] = []
    for chunk in chunks(of: size) {
      parser.append(chunk)
      while let commit = try parser.next() {
        commits.append(commit)
      }
    }
    if let last = try parser.finish() {
      commits.append(last)
    }
    return commits
  }

  func chunks(of size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: min(size, max(bytes.count, 1))).map { start in
      Array(bytes[start..<min(bytes.count, start + min(size, bytes.count))])
    }
  }
}
