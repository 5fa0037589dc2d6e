#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation
  import Lensed

  /// Which request means what.
  struct Router: Sendable {
    enum Answer: Sendable {
      case response(Response)
      case stream(EventStream)
    }

    /// What `GET /status` shows.
    struct Status: Encodable {
      let documents: Int
      let server: ServerState
    }

    let shelf: Shelf
    let state: Store<ServerState>
    let port: UInt16

    func route(_ request: Request) throws -> Answer {
      try checkHost(of: request)
      switch request.path {
      case []:
        return .response(
          Response(.ok, type: "text/plain; charset=utf-8", body: Array(help.utf8)))
      case ["status"]:
        try require("GET", of: request)
        let status = Status(documents: shelf.count, server: state.state)
        return .response(try Response(status))
      default: break
      }
      guard request.path.count >= 2, request.path[0] == "documents" else { throw Self.unknown }
      let id = try Self.documentID(request.path[1])
      switch request.path.dropFirst(2) {
      case []:
        if request.method == "DELETE" { return .response(try close(id)) }
        try require("GET", of: request)
        return .response(try Response(openStore(id).state))
      case ["edits"]:
        try require("POST", of: request)
        return .response(try apply(request, to: id))
      case ["events"]:
        try require("GET", of: request)
        return .stream(.states(try openStore(id).states))
      case ["log"]:
        try require("GET", of: request)
        return .stream(.log(try openStore(id).changes(buffering: EventStream.logBuffer)))
      default: throw Self.unknown
      }
    }

    /// Applies the edits as one commit, and returns the document as that commit left it or a later one.
    private func apply(_ request: Request, to id: String) throws -> Response {
      // A page from elsewhere cannot send this type unasked.
      let type = request.headers["content-type"]?.prefix { $0 != ";" }
      guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
        throw Refusal(.unsupportedMediaType, "Edits come as application/json.")
      }
      let edits: [Edit]
      do { edits = try JSONDecoder().decode([Edit].self, from: Data(request.body)) } catch {
        throw Refusal(.badRequest, "The body is no JSON list of edits: \(error)")
      }
      let actions = edits.compactMap(\.action)
      guard actions.count == edits.count else {
        throw Refusal(.badRequest, "An edit is one of rename, insert, write and remove.")
      }
      guard let store = shelf.open(id) else {
        throw Refusal(.unavailable, "There are too many documents. Close one.")
      }
      store.dispatch(actions)
      return try Response(store.state)
    }

    private func close(_ id: String) throws -> Response {
      guard shelf.close(id) else { throw Self.noDocument }
      return Response(.ok, type: "text/plain; charset=utf-8", body: Array("Closed.\n".utf8))
    }

    private func openStore(_ id: String) throws -> Store<Document> {
      guard let store = shelf.store(id) else { throw Self.noDocument }
      return store
    }

    private func require(_ method: String, of request: Request) throws {
      if request.method != method {
        throw Refusal(.methodNotAllowed, "This path takes \(method).")
      }
    }

    /// A name that resolves to this machine does not make a page from elsewhere one of its own.
    private func checkHost(of request: Request) throws {
      let hosts = ["localhost", "127.0.0.1"].flatMap { [$0, "\($0):\(port)"] }
      guard let host = request.headers["host"], hosts.contains(host.lowercased()) else {
        throw Refusal(.misdirected, "This server is localhost:\(port).")
      }
    }

    private static func documentID(_ text: String) throws -> String {
      let isAllowed = text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (Character(Unicode.Scalar(byte)).isLetter && byte < 128)
          || (48...57).contains(byte)
      }
      guard isAllowed, (1...64).contains(text.utf8.count) else {
        throw Refusal(.badRequest, "A document's name has 1 to 64 letters, digits, - and _.")
      }
      return text
    }

    private static let unknown = Refusal(.notFound, "There is nothing at this path.")
    private static let noDocument = Refusal(.notFound, "There is no such document.")

    private var help: String {
      """
      curl -N localhost:\(port)/documents/notes/events
      curl -H 'Content-Type: application/json' localhost:\(port)/documents/notes/edits \\
        -d '[{"rename": {"title": "Notes"}}, {"insert": {"id": "a", "text": "first"}}]'

      """
    }
  }
#endif
