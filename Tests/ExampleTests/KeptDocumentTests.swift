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
  }

  /// Gives a folder of its own, and removes it.
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "lensed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
#endif
