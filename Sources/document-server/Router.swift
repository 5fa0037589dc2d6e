#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation
  import Lensed
  import LensedPersistence
  import LensedServer

  /// Which request means what.
  struct Router: Sendable {
    /// What `GET /status` shows.
    struct Status: Encodable {
      let documents: Int
      let server: ServerState
    }

    let shelf: Shelf
    let state: Store<ServerState>

    func route(_ request: Request, port: UInt16) async throws -> Server.Answer {
      try request.requireLoopbackHost(port: port)
      switch request.path {
      case []:
        return .response(Response(.ok, text: help(port)))
      case ["status"]:
        try request.require("GET")
        let status = Status(documents: shelf.count, server: state.state)
        return .response(try Response(status))
      default: break
      }
      guard request.path.count >= 2, request.path[0] == "documents" else { throw Self.unknown }
      let id = try Self.documentID(request.path[1])
      switch request.path.dropFirst(2) {
      case []:
        if request.method == "DELETE" { return .response(try await remove(id)) }
        try request.require("GET")
        return .response(try Response(openStore(id).state))
      case ["edits"]:
        try request.require("POST")
        return .response(try await apply(request, to: id))
      case ["events"]:
        try request.require("GET")
        let stream = EventStream.states(try openStore(id).states)
        return .events { try await stream.write(to: $0) }
      case ["log"]:
        try request.require("GET")
        let stream = EventStream.log(try openStore(id).changes(buffering: EventStream.logBuffer))
        return .events { try await stream.write(to: $0) }
      default: throw Self.unknown
      }
    }

    /// Applies the edits as one commit, and returns the document as that commit left it or a later one, once it is on
    /// the disk.
    private func apply(_ request: Request, to id: String) async throws -> Response {
      try request.requireJSON()
      let edits: [Edit]
      do { edits = try JSONDecoder().decode([Edit].self, from: Data(request.body)) } catch {
        throw Refusal(.badRequest, "The body is no JSON list of edits: \(error)")
      }
      let actions = edits.compactMap(\.action)
      guard actions.count == edits.count else {
        throw Refusal(.badRequest, "An edit is one of rename, insert, write and remove.")
      }
      let opened = try kept { try shelf.open(id) }
      opened.store.dispatch(actions)
      do throws(PersistenceError) { try await opened.disk?.sync() } catch {
        throw Refusal(.unavailable, "The edits are applied, and not on the disk yet. \(error)")
      }
      return try Response(opened.store.state)
    }

    private func remove(_ id: String) async throws -> Response {
      do {
        guard try await shelf.remove(id) else { throw Self.noDocument }
      } catch let error as PersistenceError {
        throw Refusal(.unavailable, "\(error)")
      }
      return Response(.ok, text: "Removed.\n")
    }

    private func openStore(_ id: String) throws -> Store<Document> {
      guard let opened = try kept({ try shelf.find(id) }) else { throw Self.noDocument }
      return opened.store
    }

    /// Tells the client what is wrong with the disk, or that the shelf is full.
    private func kept<Result>(_ body: () throws -> Result) throws -> Result {
      do { return try body() } catch let error as PersistenceError {
        throw Refusal(.unavailable, "\(error)")
      } catch is Shelf.Full {
        throw Refusal(.unavailable, "There are too many documents. Remove one.")
      }
    }

    private static func documentID(_ text: String) throws -> String {
      let isAllowed = text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (Character(Unicode.Scalar(byte)).isLetter && byte < 128)
          || (48...57).contains(byte)
      }
      // As `PersistenceGroup` has its names.
      let isTaken = text.hasPrefix("-") || text.hasPrefix("_") || text == "lock"
      guard isAllowed, !isTaken, (1...64).contains(text.utf8.count) else {
        throw Refusal(
          .badRequest,
          """
          A document's name has 1 to 64 letters, digits, - and _, begins with a letter or a digit, and is not lock.
          """)
      }
      return text
    }

    private static let unknown = Refusal(.notFound, "There is nothing at this path.")
    private static let noDocument = Refusal(.notFound, "There is no such document.")

    private func help(_ port: UInt16) -> String {
      """
      curl -N localhost:\(port)/documents/notes/events
      curl -H 'Content-Type: application/json' localhost:\(port)/documents/notes/edits \\
        -d '[{"rename": {"title": "Notes"}}, {"insert": {"id": "a", "text": "first"}}]'

      """
    }
  }
#endif
