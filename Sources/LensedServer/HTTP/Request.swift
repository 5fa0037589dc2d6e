import Foundation

/// One request of HTTP/1.1, read whole.
package struct Request: Sendable, Equatable {
  package var method: String
  /// The parts of the path, each decoded.
  package var path: [String]
  /// What follows the question mark, by name, decoded.
  package var query: [String: String] = [:]
  /// By lowercase name.
  package var headers: [String: String]
  package var body: [UInt8]

  package init(
    method: String, path: [String], query: [String: String] = [:], headers: [String: String],
    body: [UInt8]
  ) {
    (self.method, self.path, self.query) = (method, path, query)
    (self.headers, self.body) = (headers, body)
  }

  /// Refuses any method but one.
  package func require(_ method: String) throws(Refusal) {
    if self.method != method { throw Refusal(.methodNotAllowed, "This path takes \(method).") }
  }

  /// Refuses a body that a page from elsewhere could send unasked.
  package func requireJSON() throws(Refusal) {
    let type = headers["content-type"]?.prefix { $0 != ";" }
    guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
      throw Refusal(.unsupportedMediaType, "A body comes as application/json.")
    }
  }
}

/// A request that is refused, and the response to it.
package struct Refusal: Error, Equatable {
  package let status: Status
  package let reason: String

  package init(_ status: Status, _ reason: String) {
    (self.status, self.reason) = (status, reason)
  }
}

/// The statuses that a server responds with.
package enum Status: Int, Sendable {
  case ok = 200
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case contentTooLarge = 413
  case unsupportedMediaType = 415
  case misdirected = 421
  case headTooLarge = 431
  case notImplemented = 501
  case unavailable = 503
  case versionNotSupported = 505

  var phrase: String {
    switch self {
    case .ok: "OK"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .contentTooLarge: "Content Too Large"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .misdirected: "Misdirected Request"
    case .headTooLarge: "Request Header Fields Too Large"
    case .notImplemented: "Not Implemented"
    case .unavailable: "Service Unavailable"
    case .versionNotSupported: "HTTP Version Not Supported"
    }
  }
}
