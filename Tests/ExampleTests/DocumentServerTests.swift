import Foundation
import Lensed
import LensedServer
import LensedTestSupport
import Testing

@testable import document_server

@Suite("The server: a store per document", .timeLimit(.minutes(30)))
struct DocumentServerTests {
  @Test func `a list of edits is one commit, and other documents know nothing of it`()
    async throws
  {
    try await RunningServer.run { service in
      try await service.edit("b", #"[{"rename": {"title": "Other"}}]"#)
      try await service.edit("a", #"[{"insert": {"id": "1", "text": ""}}]"#)
      var events = try await service.listen("/documents/a/events")
      #expect(try await events.document().lines.map(\.id) == ["1"])
      try await service.edit(
        "a",
        """
        [{"rename": {"title": "Ünï"}}, {"write": {"id": "1", "text": "one"}},
         {"insert": {"id": "2", "text": "two"}}, {"remove": {"id": "1"}}]
        """)
      let document = try await events.document()
      #expect(document.title == "Ünï")
      #expect(document.lines.map(\.text) == ["two"])
      #expect(document.edits == 5, "four edits, one event")
      let other = try await service.ask("GET", "/documents/b")
      #expect(try other.decoded(as: Document.self).title == "Other")
      #expect(try other.decoded(as: Document.self).edits == 1)
    }
  }

  @Test func `a log has every commit, with the edits as they came`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      var log = try await service.listen("/documents/a/log")
      try await service.edit("a", #"[{"rename": {"title": "x"}}]"#)
      try await service.edit(
        "a", #"[{"insert": {"id": "1", "text": "one"}}, {"remove": {"id": "1"}}]"#)
      let first = try #require(try await log.next())
      #expect(first.name == "commit")
      let commit = try first.decoded(as: EventStream.Commit.self)
      #expect(commit.edits.map(\.rename) == [Rename(title: "x")])
      let second = try #require(try await log.next()).decoded(as: EventStream.Commit.self)
      #expect(second.revision == commit.revision + 1)
      #expect(second.edits.map(\.insert) == [InsertLine(id: "1", text: "one"), nil])
      #expect(second.edits.map(\.remove) == [nil, RemoveLine(id: "1")])
    }
  }

  @Test func `a closed document ends its streams`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      var events = try await service.listen("/documents/a/events")
      var log = try await service.listen("/documents/a/log")
      _ = try await events.document()
      #expect(try await service.ask("DELETE", "/documents/a").status == 200)
      #expect(try await events.next() == nil)
      #expect(try await log.next() == nil)
      #expect(try await service.ask("GET", "/documents/a").status == 404)
    }
  }

  @Test func `two servers have nothing in common`() async throws {
    try await RunningServer.run { first in
      try await first.edit("a", #"[{"rename": {"title": "first"}}]"#)
      try await RunningServer.run { second in
        #expect(first.server.port != second.server.port)
        #expect(try await second.ask("GET", "/documents/a").status == 404)
        try await second.edit("a", #"[{"rename": {"title": "second"}}]"#)
      }
      let document = try await first.ask("GET", "/documents/a").decoded(as: Document.self)
      #expect(document.title == "first")
    }
  }

  @Test func `clients that edit at once lose nothing`() async throws {
    try await RunningServer.run { service in
      await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await service.edit("a", #"[{"insert": {"id": "\#(number)", "text": ""}}]"#)
          }
        }
      }
      let document = try await service.ask("GET", "/documents/a").decoded(as: Document.self)
      #expect(document.edits == 40)
      #expect(Set(document.lines.ids) == Set((0..<40).map(String.init)))
    }
  }

  @Test func `the server tells what it does`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      await service.waitForClients(0)
      let status = try await service.ask("GET", "/status")
      #expect(
        status.text == #"{"documents":1,"server":{"clients":1,"served":1,"stalled":0}}"#)
      #expect(try await service.ask("GET", "/").text.contains("curl"))
    }
  }

  @Test func `a server that is stopped leaves its clients`() async throws {
    let readiness = try Readiness()
    defer { readiness.stop() }
    let service = RunningServer(server: try DocumentServer(), readiness: readiness)
    let running = Task { try await service.server.run() }
    try await service.edit("a", "[]")
    var events = try await service.listen("/documents/a/events")
    _ = try await events.document()
    running.cancel()
    try await running.value
    #expect(try await events.next() == nil)
    #expect(service.server.state.clients == 0)
  }
}
