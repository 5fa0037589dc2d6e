import Foundation
import Lensed
import LensedServer
import LensedTestSupport
import Testing

@testable import document_server

@Suite("The server: bad requests", .timeLimit(.minutes(30)))
struct BadRequestTests {
  private static let requests: [(String, Int)] = [
    ("GET /documents/a HTTP/1.1\r\n\r\n", 421),
    ("GET /documents/a HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n", 421),
    ("GET /documents/a HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/a HTTP/2\r\nHost: localhost\r\n\r\n", 505),
    ("GET /documents/a\r\nHost: localhost\r\n\r\n", 400),
    ("GET  /documents/a HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET documents HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/%F HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/%2e%2e HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/_a HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/-a HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/lock HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET /documents/a HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET /documents/a/b/c HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("PUT /documents/a HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET /documents/a/edits HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("GET / HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: lücke\r\n\r\n", 421),
    ("GET /lücke HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHöst: localhost\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=schön\tb\r\n\r\n", 200),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ١\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 9_000))\r\n\r\n", 431),
    (String(repeating: "x", count: 9_000), 431),
  ]

  @Test func `each has its answer, and the server goes on`() async throws {
    try await RunningServer.run { service in
      for (text, status) in Self.requests {
        let client = try service.connect()
        try await client.send(text)
        let answer = try await client.answer()
        #expect(answer.status == status, "\(text.prefix(80).debugDescription)")
      }
      #expect(try await service.ask("GET", "/status").status == 200)
    }
  }

  @Test func `edits that are none change nothing`() async throws {
    let bodies = [
      "", "{}", "[1]", "[{}]", #"[{"rename": {}}]"#, #"[{"rename": {"title": 1}}]"#,
      #"[{"rename": {"title": "a"}}, {}]"#,
      #"[{"rename": {"title": "a"}, "remove": {"id": "1"}}]"#,
    ]
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      for body in bodies {
        let answer = try await service.ask("POST", "/documents/a/edits", body: body)
        #expect(answer.status == 400, "\(body)")
      }
      let plain = try service.connect()
      try await plain.send(
        "POST /documents/a/edits HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n[]")
      #expect(try await plain.answer().status == 415)
      let document = try await service.ask("GET", "/documents/a").decoded(as: Document.self)
      #expect(document == Document())
    }
  }

  @Test func `there are only so many documents, and lines`() async throws {
    var limits = DocumentServer.Limits()
    limits.documents = 2
    try await RunningServer.run(limits: limits) { service in
      try await service.edit("a", "[]")
      try await service.edit("b", "[]")
      let third = try await service.ask("POST", "/documents/c/edits", body: "[]")
      #expect(third.status == 503)
      #expect(try await service.ask("DELETE", "/documents/a").status == 200)
      try await service.edit("c", "[]")
      for part in 0..<3 {
        let edits = (0..<400).map { #"{"insert": {"id": "\#(part)-\#($0)", "text": ""}}"# }
        try await service.edit("c", "[\(edits.joined(separator: ","))]")
      }
      let document = try await service.ask("GET", "/documents/c").decoded(as: Document.self)
      #expect(document.lines.count == 1_000)
    }
  }
}
