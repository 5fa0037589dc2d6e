import Foundation

/// One response, as bytes.
///
/// Each connection has one request and one response.
package struct Response: Sendable {
  package var status: Status
  package var type: String
  package var body: [UInt8]
  /// Further headers, each a whole line.
  package var headers: [String] = []

  package init(_ status: Status, type: String = "application/json", body: [UInt8]) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// A value as JSON.
  package init(_ value: some Encodable) throws {
    self.init(.ok, body: try Self.json(value))
  }

  /// A sentence.
  package init(_ status: Status, text: String) {
    self.init(status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  package init(_ refusal: Refusal) {
    self.init(refusal.status, text: "\(refusal.reason)\n")
  }

  package var bytes: [UInt8] {
    Self.head(status, type, ["Content-Length: \(body.count)"] + headers) + body
  }

  /// The head of a response that goes on until one of the two sides closes.
  static let eventStream = head(.ok, "text/event-stream", [])

  private static func head(_ status: Status, _ type: String, _ more: [String]) -> [UInt8] {
    let lines =
      [
        "HTTP/1.1 \(status.rawValue) \(status.phrase)", "Content-Type: \(type)",
        "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Connection: close",
      ] + more
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }
}
