#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  internal import LensedPersistence
  internal import LensedServer

  /// Which request of the page means what.
  ///
  /// | request | answer |
  /// |---|---|
  /// | `GET /SECRET/` | the page |
  /// | `GET /SECRET/events` | the records so far and those to come, as server-sent events |
  /// | `POST /SECRET/jump` | replaces the state by that of a commit |
  /// | `POST /SECRET/dispatch` | dispatches a registered action |
  struct InspectorRoutes: Sendable {
    typealias Done = (isDone: Bool, sentence: String)
    static let gone: Done = (false, "The inspector is not there any more.")

    let secret: String
    let log: InspectorLog
    let jump: @Sendable (_ revision: UInt64) -> Done
    let dispatch: @Sendable (_ name: String, _ json: String) -> Done

    func answer(_ request: Request, port: UInt16) async throws -> Server.Answer {
      try request.requireLoopbackHost(port: port)
      guard let given = request.path.first, Secret.areEqual(given, secret) else {
        throw Refusal(.notFound, "There is nothing at this path.")
      }
      try checkOrigin(of: request, port: port)
      switch request.path.dropFirst() {
      case [""]:
        try request.require("GET")
        let (head, tail) = SessionPage.frame(.live)
        var response = Response(
          .ok, type: "text/html; charset=utf-8", body: Array((head + tail).utf8))
        response.headers = [
          "X-Frame-Options: DENY", "Referrer-Policy: no-referrer",
          "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
          "Content-Security-Policy: frame-ancestors 'none'",
        ]
        return .response(response)
      case ["events"]:
        try request.require("GET")
        return .events { try await send(to: $0) }
      case ["jump"]:
        guard let revision = try body(of: request)["revision"]?.int, revision >= 0 else {
          throw Refusal(.badRequest, "A jump names the revision of a commit.")
        }
        return try answer(jump(UInt64(revision)))
      case ["dispatch"]:
        let body = try body(of: request)
        guard let name = body["name"]?.string, let value = body["value"] else {
          throw Refusal(.badRequest, "A dispatch names an action, and has its value.")
        }
        return try answer(dispatch(name, value.text))
      default: throw Refusal(.notFound, "There is nothing at this path.")
      }
    }

    private func answer(_ done: Done) throws -> Server.Answer {
      if !done.isDone { throw Refusal(.badRequest, done.sentence) }
      return .response(Response(.ok, text: done.sentence))
    }

    private func body(of request: Request) throws -> JSONText {
      try request.require("POST")
      try request.requireJSON()
      do {
        return try JSONText(parsing: request.body)
      } catch {
        throw Refusal(.badRequest, "The body is no JSON: \(error).")
      }
    }

    /// Refuses what another site's page asks for, as far as the browser says that it does.
    private func checkOrigin(of request: Request, port: UInt16) throws {
      let refusal = Refusal(.forbidden, "This is for the inspector's own page.")
      if let origin = request.headers["origin"],
        !["http://127.0.0.1:\(port)", "http://localhost:\(port)"].contains(origin.lowercased())
      {
        throw refusal
      }
      if let site = request.headers["sec-fetch-site"], !["same-origin", "none"].contains(site) {
        throw refusal
      }
    }

    /// The records, as they come and as the client takes them.
    private func send(to client: ServerSentEvents) async throws {
      let wakes = log.wakes()
      try await client.begin()
      var number: Int?
      var isFirst = true
      func catchUp() async throws {
        while true {
          let piece = log.lines(from: number)
          // Also after the connection was lost: the page begins anew with whatever comes first.
          if piece.isAnew && (isFirst || number != nil) { try await client.send("reset", true) }
          isFirst = false
          for line in piece.lines { try await client.send("record", json: line) }
          if !piece.lines.isEmpty || number != nil { number = piece.next }
          if piece.lines.count < 256 { return }
        }
      }
      try await catchUp()
      for await _ in wakes { try await catchUp() }
    }
  }
#endif
