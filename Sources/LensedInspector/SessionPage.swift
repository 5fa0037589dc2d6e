package import Foundation

/// The page with a session in it: HTML that needs nothing else.
package enum SessionPage {
  /// Where the page gets its records from.
  package enum Mode: String, Sendable {
    /// They are in it.
    case file
    /// A running app sends them.
    case live
  }

  /// The parts of the page before and behind the records, under a number that only this page has.
  package static func frame(_ mode: Mode) -> (head: String, tail: String) {
    let nonce = Secret.make()
    let page = InspectorPage.html
      .replacing("@NONCE@", with: nonce)
      .replacing("@MODE@", with: mode.rawValue)
      .replacing("@CONNECT@", with: mode == .live ? "'self'" : "'none'")
      .replacing("@CSS@", with: InspectorPage.css)
    let parts = page.split(separator: "@SESSION@", maxSplits: 1)
    let tail = parts.count > 1 ? String(parts[1]) : ""
    return (String(parts[0]), tail.replacing("@JS@", with: InspectorPage.js))
  }

  /// A record as a line of the page.
  ///
  /// Without a `<` it can neither end the element that it stands in nor begin another one. In JSON one stands in strings
  /// alone, where an escape means the same.
  package static func line(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(UInt8(ascii: "<")) else { return json + [10] }
    var line: [UInt8] = []
    line.reserveCapacity(json.count + 64)
    for byte in json {
      if byte == UInt8(ascii: "<") { line += #"\u003c"#.utf8 } else { line.append(byte) }
    }
    return line + [10]
  }

  /// Writes a page to a file, record by record.
  ///
  /// - Parameters:
  ///   - file: Where to; what was there before is replaced once the page is whole.
  ///   - next: Returns the next record, and nil at the end.
  /// - Throws: The errors of `next`, and those of the file system.
  package static func write(to file: URL, _ next: () throws -> [UInt8]?) throws {
    let (head, tail) = frame(.file)
    let part = file.deletingLastPathComponent()
      .appending(path: ".\(file.lastPathComponent).\(Secret.make().prefix(8))")
    do {
      // Readable by the user alone, as the session is.
      let descriptor = unsafe open(part.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor < 0 { throw InspectorError(unwritable: file, errno) }
      let handle = FileHandle(fileDescriptor: descriptor)
      defer { try? handle.close() }
      var waiting = Array(head.utf8)
      while let record = try next() {
        waiting += line(record)
        if waiting.count > 1 << 18 {
          try handle.write(contentsOf: waiting)
          waiting.removeAll(keepingCapacity: true)
        }
      }
      try handle.write(contentsOf: waiting + Array(tail.utf8))
      // The paths are copied for the call.
      if unsafe rename(part.path, file.path) != 0 {
        throw InspectorError(unwritable: file, errno)
      }
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw error
    }
  }
}

/// A number that cannot be guessed.
enum Secret {
  /// 32 hexadecimal digits.
  static func make() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether two texts are equal, in a time that does not say where they differ.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Why an inspector does not do what it was asked for.
public enum InspectorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// It is inactive: a release build that did not ask for `.always`.
  case inactive
  /// It is in no store.
  case noStore
  /// The file cannot be written.
  case unwritable(file: String, reason: String)
  /// The platform has no sockets.
  case noSockets
  /// The page cannot be served.
  case unserved(port: UInt16, reason: String)
  /// The page was served, and is no longer.
  case ended(port: UInt16, reason: String)

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .inactive:
      """
      Lensed: the inspector is inactive, because this is a release build. Make it with active: .always to have it here \
      too.
      """
    case .noStore:
      "Lensed: the inspector is in no store. Give it to one with middleware:, or attach it."
    case .unwritable(let file, let reason):
      """
      Lensed: the page \(file) cannot be written: \(reason). Name a file in a folder that is there, and that this user \
      may write in.
      """
    case .noSockets:
      "Lensed: this platform has no sockets, so the inspector serves nothing. Write a file."
    case .unserved(let port, let reason):
      """
      Lensed: the inspector cannot serve its page at \(port == 0 ? "any port" : "port \(port)") of this machine \
      (\(reason)). Take port 0, which is any that is free, close files or connections that the program no longer \
      needs, or write the page to a file.
      """
    case .ended(let port, let reason):
      """
      Lensed: the inspector serves its page at port \(port) no longer (\(reason)). Call serve() again, which returns a \
      new address, or write the page to a file.
      """
    }
  }
}

extension InspectorError {
  /// Of a file that the system does not let be written, with what it says.
  fileprivate init(unwritable file: URL, _ code: CInt) {
    // The text belongs to the C library and is copied at once.
    self = .unwritable(file: file.path, reason: unsafe String(cString: strerror(code)))
  }
}
