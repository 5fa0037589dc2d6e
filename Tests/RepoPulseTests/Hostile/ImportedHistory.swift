@testable import repo_pulse

/// A history of any bytes, in the language of `git fast-import`.
struct ImportedHistory {
  var stream: [UInt8] = []

  /// A commit of one file, by an author at a time as git has it.
  mutating func commit(
    of path: [UInt8], by author: [UInt8] = Array("Ada".utf8), at time: String = "1700000000 +0000",
    subject: [UInt8] = Array("Add it".utf8), encoding: String? = nil
  ) {
    write("commit refs/heads/main\nauthor ")
    stream += author
    write(" <a@example.com> \(time)\ncommitter C <c@example.com> 1700000000 +0000\n")
    if let encoding { write("encoding \(encoding)\n") }
    write("data \(subject.count)\n")
    stream += subject
    write("\nM 100644 inline \(ImportedHistory.quoted(path))\ndata 5\nline\n\n")
  }

  private mutating func write(_ text: String) {
    stream += Array(text.utf8)
  }

  /// Each byte in octal, so that none of them means anything.
  static func quoted(_ path: [UInt8]) -> String {
    let digits = path.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "\"\(digits.joined())\""
  }
}
