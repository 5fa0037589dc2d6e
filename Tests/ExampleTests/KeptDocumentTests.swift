#if os(Linux) || os(macOS)
  import Foundation
  import Lensed
  import LensedServer
  import LensedTestSupport
  import Testing

  @testable import document_server

  @Suite("The server: documents on the disk", .timeLimit(.minutes(30)))
  struct KeptDocumentTests {
    @Test func `documents are there when the server comes back, until they are removed`()
      async throws
    {
      try await withFolder { folder in
        try await RunningServer.run(keepingIn: folder) { service in
          try await service.edit("a", #"[{"rename": {"title": "kept"}}]"#)
          try await service.edit("a", #"[{"insert": {"id": "1", "text": "one"}}]"#)
          try await service.edit("b", "[]")
        }
        try await RunningServer.run(keepingIn: folder) { service in
          let document = try await service.ask("GET", "/documents/a").decoded(as: Document.self)
          #expect(document.title == "kept" && document.lines.map(\.text) == ["one"])
          #expect(document.edits == 2)
          #expect(try await service.ask("DELETE", "/documents/a").status == 200)
          #expect(try await service.ask("GET", "/documents/a").status == 404)
        }
        try await RunningServer.run(keepingIn: folder) { service in
          let answer = try await service.ask("GET", "/documents/a")
          #expect(answer.status == 404)
        }
      }
    }

    @Test func `a document on the disk for which there is no room is not said to be missing`()
      async throws
    {
      try await withFolder { folder in
        var limits = DocumentServer.Limits()
        try await RunningServer.run(keepingIn: folder, limits: limits) { service in
          for id in ["a", "b"] { try await service.edit(id, "[]") }
        }
        limits.documents = 1
        try await RunningServer.run(keepingIn: folder, limits: limits) { service in
          #expect(try await service.ask("GET", "/documents/a").status == 200)
          for path in ["/documents/b", "/documents/b/events", "/documents/b/log"] {
            let answer = try await service.ask("GET", path)
            #expect(answer.status == 503 && answer.text.contains("too many documents"), "\(path)")
          }
          #expect(try await service.ask("GET", "/documents/c").status == 404)
          // It can be removed all the same.
          #expect(try await service.ask("DELETE", "/documents/b").status == 200)
          #expect(try await service.ask("GET", "/documents/b").status == 404)
        }
      }
    }

    @Test func `what it cannot do it says in a sentence, with a status`() async throws {
      try await withFolder { folder in
        let shelf = try Shelf(limit: 1, keepingIn: folder)
        let (listener, port) = try Socket.listening(on: 0)
        let cases: [(arguments: [String], status: Int32, sentence: String)] = [
          (["70000"], 2, "70000 is no port"), ([folder.path, "0"], 2, "is no port"),
          (["0", folder.path, "more"], 2, "There are more than two arguments."),
          (["\(port)"], 1, "Port \(port) cannot be had (bind: "),
          (["0", folder.path], 1, "is in use"),
        ]
        for (arguments, status, sentence) in cases {
          let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "document-server").path
          let program = try Program(path, arguments, output: .nothing, errors: .pipe)
          let said = String(decoding: try program.errors?.readToEnd() ?? Data(), as: UTF8.self)
          #expect(program.wait() == status, "\(arguments)")
          #expect(said.contains(sentence) && said.split(separator: "\n").count == 1, "\(said)")
        }
        withExtendedLifetime(listener) {}
        try await shelf.closeAll()
      }
    }

    @Test func `what it has answered is there after it was killed`() async throws {
      try await withFolder { folder in
        var generator = SeededGenerator(seed: 2)
        var answered = 0
        for _ in 0..<(2 * VerificationLength.factor) {
          let program = try Program(
            builtBesideTheTests: "document-server", ["0", folder.path], output: .pipe)
          let line = String(decoding: program.output?.availableData ?? Data(), as: UTF8.self)
          let port = try #require(line.split { !$0.isNumber }.last.flatMap { UInt16($0) })
          let readiness = try Readiness()
          defer { readiness.stop() }
          for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let client = try TestClient(port: port, readiness)
            try await client.send(
              client.request(
                "POST", "/documents/a/edits",
                body: #"[{"insert": {"id": "\#(answered)", "text": "x"}}]"#))
            // On a machine that is busy with others, it may have waited too long for the request, by its own clock.
            let status = try await client.answer().status
            #expect(status == 200 || status == 408)
            if status == 200 { answered += 1 }
          }
          program.kill()
          program.wait()
        }
        let shelf = try Shelf(limit: 10, keepingIn: folder)
        let document = try #require(try shelf.find("a"))
        #expect(document.store.lines.count == answered)
        try await shelf.closeAll()
      }
    }

    /// The lines of each client that were answered.
    private final class Lines: Sendable {
      private let ids = Locked([[String]](repeating: [], count: 4))

      var answered: [[String]] { ids.withLock { $0 } }

      /// Notes one, and returns how many of this client there are.
      func note(_ id: String, of client: Int) -> Int {
        ids.withLock { ids in
          ids[client].append(id)
          return ids[client].count
        }
      }
    }

    private enum Outcome { case answered, late, gone }

    /// Asks for a line, and returns whether that was answered before the process was killed.
    private static func insert(
      _ id: String, in document: String, _ port: UInt16, _ readiness: Readiness
    ) async throws -> Outcome {
      let client = try TestClient(port: port, readiness)
      try await client.send(
        client.request(
          "POST", "/documents/\(document)/edits",
          body: #"[{"insert": {"id": "\#(id)", "text": "x"}}]"#))
      let bytes = try await client.connection.read(atMost: 65_536)
      let answer = String(decoding: bytes, as: UTF8.self)
      // On a machine that is busy with others, it may have waited too long for the request, by its own clock.
      if answer.hasPrefix("HTTP/1.1 408") { return .late }
      return answer.hasPrefix("HTTP/1.1 200") ? .answered : .gone
    }

    @Test func `killed in the middle of what four clients ask, it has each line that it answered`()
      async throws
    {
      try await withFolder { folder in
        var generator = SeededGenerator(seed: 3)
        let readiness = try Readiness()
        defer { readiness.stop() }
        var known = [Set<String>](repeating: [], count: 4)
        for round in 0..<(2 * VerificationLength.factor) {
          // Two clients write to one document, and two to one of their own; in time to other ones, before they are full.
          let documents = ["shared", "shared", "two", "three"].map { "\($0)-\(round / 5)" }
          if round % 5 == 0 { known = [Set<String>](repeating: [], count: 4) }
          let program = try Program(
            builtBesideTheTests: "document-server", ["0", folder.path], output: .pipe)
          let line = String(decoding: program.output?.availableData ?? Data(), as: UTF8.self)
          let port = try #require(line.split { !$0.isNumber }.last.flatMap { UInt16($0) })
          let limit = Int.random(in: 1...8, using: &generator)
          let lines = Lines()
          await withTaskGroup(of: Void.self) { group in
            for client in 0..<4 {
              group.addTask {
                for number in 0... {
                  let id = "\(round)-\(client)-\(number)"
                  switch try? await Self.insert(id, in: documents[client], port, readiness) {
                  case .answered:
                    // In the middle of what the others ask.
                    if lines.note(id, of: client) == limit { program.kill() }
                  case .late: continue
                  case .gone, nil: return
                  }
                }
              }
            }
          }
          program.kill()
          program.wait()
          #expect(lines.answered.contains { $0.count >= limit })
          let shelf = try Shelf(limit: 10, keepingIn: folder)
          for client in 0..<4 {
            let document = try shelf.find(documents[client])
            let ids = Set(
              (document?.store.lines.map(\.id) ?? []).filter { id in
                let words = id.split(separator: "-")
                return words.count == 3 && words[1] == "\(client)"
              })
            let needed = known[client].union(lines.answered[client])
            // One more may be kept whose answer was not read.
            #expect(ids.isSuperset(of: needed), "round \(round), client \(client)")
            #expect(ids.count <= needed.count + 1, "round \(round), client \(client)")
            known[client] = ids
          }
          try await shelf.closeAll()
        }
      }
    }
  }

  /// Gives a folder of its own, and removes it.
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lensed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
#endif
