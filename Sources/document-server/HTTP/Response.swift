import Foundation

/// One answer, as bytes.
///
/// Each connection has one request and one answer.
struct Response: Sendable {
  var status: Status
  var type = "application/json"
  var body: [UInt8]

  init(_ status: Status, type: String = "application/json", body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// A value as JSON.
  init(_ value: some Encodable) throws {
    self.init(.ok, body: try Self.json(value))
  }

  init(_ refusal: Refusal) {
    self.init(
      refusal.status, type: "text/plain; charset=utf-8", body: Array("\(refusal.reason)\n".utf8))
  }

  var bytes: [UInt8] {
    Self.head(status, type, ["Content-Length: \(body.count)"]) + body
  }

  /// The head of an answer that goes on until one of the two sides closes.
  static let eventStream = head(.ok, "text/event-stream", [])

  /// One event of a stream.
  ///
  /// JSON without line breaks fits on the one line of its data.
  static func event(_ name: String, id: String? = nil, _ value: some Encodable) throws -> [UInt8] {
    var bytes = Array("event: \(name)\n".utf8)
    if let id { bytes += Array("id: \(id)\n".utf8) }
    return bytes + Array("data: ".utf8) + (try json(value)) + [10, 10]
  }

  private static func head(_ status: Status, _ type: String, _ more: [String]) -> [UInt8] {
    let lines =
      [
        "HTTP/1.1 \(status.rawValue) \(status.phrase)", "Content-Type: \(type)",
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Connection: close",
      ] + more
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }
}
