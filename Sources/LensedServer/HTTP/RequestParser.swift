import Foundation

/// Reads one request out of the pieces in which it arrives.
///
/// It keeps `maximumHead` and the body's bytes at most, and refuses what two readers could understand in
/// two ways: a header twice, a length that is no number, a transfer encoding.
package struct RequestParser {
  package static let maximumHead = 8_192

  private let maximumBody: Int
  private var received: [UInt8] = []
  private var head: (request: Request, bodyStart: Int, length: Int)?

  package init(maximumBody: Int = 65_536) {
    self.maximumBody = maximumBody
  }

  /// Takes the next piece, and returns the request once all of it is there.
  package mutating func feed(_ bytes: [UInt8]) throws(Refusal) -> Request? {
    let scanned = max(received.count - 3, 0)
    received += bytes
    if head == nil {
      guard let end = endOfHead(from: scanned) else {
        if received.count > Self.maximumHead { throw tooLong }
        return nil
      }
      if end > Self.maximumHead { throw tooLong }
      let (request, length) = try Self.parse(received[..<end])
      if length > maximumBody {
        throw Refusal(.contentTooLarge, "A body has at most \(maximumBody) bytes.")
      }
      head = (request, end + 4, length)
    }
    guard let (request, start, length) = head, received.count >= start + length else { return nil }
    var whole = request
    whole.body = Array(received[start..<start + length])
    return whole
  }

  private var tooLong: Refusal {
    Refusal(.headTooLarge, "A request's head has at most \(Self.maximumHead) bytes.")
  }

  /// Where the empty line after the headers begins.
  private func endOfHead(from start: Int) -> Int? {
    guard received.count >= 4 else { return nil }
    return (start...(received.count - 4)).first { index in
      received[index..<index + 4].elementsEqual([13, 10, 13, 10])
    }
  }

  private static func parse(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> (Request, Int) {
    let lines = try lines(of: bytes)
    guard lines[0].allSatisfy({ (32..<127).contains($0) }) else {
      throw Refusal(.badRequest, "The first line of a request is printable ASCII.")
    }
    let words = String(decoding: lines[0], as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty else {
      throw Refusal(.badRequest, "A request begins with a method, a path and a version.")
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw Refusal(.versionNotSupported, "This server speaks HTTP/1.1.")
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex,
        line[..<colon].allSatisfy({ (33..<127).contains($0) })
      else { throw Refusal(.badRequest, "A header is a name, a colon and a value.") }
      let rest = line[(colon + 1)...]
      // A browser sends the cookies of every program on this host: any text may be in them.
      guard rest.allSatisfy({ $0 == 9 || (32...255).contains($0) && $0 != 127 }) else {
        throw Refusal(.badRequest, "A header's value has no control characters.")
      }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = String(decoding: rest, as: UTF8.self)
        .trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
      guard headers.updateValue(value, forKey: name) == nil else {
        throw Refusal(.badRequest, "The header \(name) is there twice.")
      }
    }
    let request = Request(
      method: String(words[0]), path: try path(of: words[1]), query: try query(of: words[1]),
      headers: headers, body: [])
    return (request, try length(of: headers))
  }

  /// The lines of a head, which CR and LF end together.
  ///
  /// One of them alone would end a line to some readers, and not to others.
  private static func lines(of bytes: ArraySlice<UInt8>) throws(Refusal) -> [ArraySlice<UInt8>] {
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    for index in lines.indices {
      let isLast = index == lines.count - 1
      if !isLast && lines[index].popLast() != 13 || lines[index].contains(13) {
        throw Refusal(.badRequest, "A line ends with CR and LF.")
      }
    }
    return lines
  }

  private static func length(of headers: [String: String]) throws(Refusal) -> Int {
    if headers["transfer-encoding"] != nil {
      throw Refusal(.notImplemented, "A body comes with its Content-Length.")
    }
    guard let text = headers["content-length"] else { return 0 }
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw Refusal(.badRequest, "A Content-Length is a number.")
    }
    // What does not fit an integer is too large too.
    return Int(text) ?? .max
  }

  private static func path(of target: Substring) throws(Refusal) -> [String] {
    let path = target.prefix { $0 != "?" }
    guard path.first == "/" else { throw Refusal(.badRequest, "A path begins with a slash.") }
    var parts: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = part.removingPercentEncoding else {
        throw Refusal(.badRequest, "The path is not encoded well.")
      }
      parts.append(decoded)
    }
    return parts == [""] ? [] : parts
  }

  private static func query(of target: Substring) throws(Refusal) -> [String: String] {
    guard let mark = target.firstIndex(of: "?") else { return [:] }
    var query: [String: String] = [:]
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts[0].removingPercentEncoding,
        let value = parts.count == 1 ? "" : parts[1].removingPercentEncoding
      else { throw Refusal(.badRequest, "The query is not encoded well.") }
      guard query.updateValue(value, forKey: name) == nil else {
        throw Refusal(.badRequest, "The query names one thing twice.")
      }
    }
    return query
  }
}
