/// One request of HTTP/1.1, read whole.
struct Request: Sendable, Equatable {
  var method: String
  /// The parts of the path, each decoded.
  var path: [String]
  /// By lowercase name.
  var headers: [String: String]
  var body: [UInt8]
}

/// A request that is refused, and the answer to it.
struct Refusal: Error, Equatable {
  let status: Status
  let reason: String

  init(_ status: Status, _ reason: String) {
    (self.status, self.reason) = (status, reason)
  }
}

/// The answers that this server gives.
enum Status: Int, Sendable {
  case ok = 200
  case badRequest = 400
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
