import Foundation
import Lensed
import LensedServer
import LensedTestSupport
import Testing

@testable import document_server

/// Nothing here waits by time: a client that reads nothing is slow enough.
@Suite("The server: slow clients, and those that leave", .timeLimit(.minutes(30)))
struct SlowClientTests {
  /// An edit that is much bigger than what the system keeps under way for a few of its kind.
  private func bigEdit(_ number: Int) -> String {
    #"[{"rename": {"title": "\#(number)\#(String(repeating: "x", count: 60_000))"}}]"#
  }

  @Test func `a slow reader of states skips to the newest, and holds nobody up`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      var slow = try await service.listen("/documents/a/events")
      let count = 100
      for number in 1...count { try await service.edit("a", bigEdit(number)) }
      var seen: [Int] = []
      while seen.last != count { seen.append(try await slow.document().edits) }
      #expect(seen == seen.sorted())
      #expect(seen.count < count, "\(seen.count) of \(count) states were sent")
    }
  }

  @Test func `a slow reader of a log is told how many commits it has missed`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      var log = try await service.listen("/documents/a/log")
      let count = 160
      for number in 1...count { try await service.edit("a", bigEdit(number)) }
      var (seen, missed) = (0, 0)
      var last: UInt64?
      while seen + missed < count {
        let event = try #require(try await log.next())
        if event.name == "gap" {
          let gap = try event.decoded(as: EventStream.Gap.self).missed
          missed += gap
          last = last.map { $0 + UInt64(gap) }
        } else {
          let revision = try event.decoded(as: EventStream.Commit.self).revision
          if let last { #expect(revision == last + 1) }
          last = revision
          seen += 1
        }
      }
      #expect(seen + missed == count)
      #expect(missed > 0)
    }
  }

  @Test func `a client that takes nothing for too long is left`() async throws {
    let clock = ManualClock()
    try await RunningServer.run(clock: clock) { service in
      try await service.edit("a", "[]")
      let slow = try await service.listen("/documents/a/events")
      for number in 1...100 { try await service.edit("a", bigEdit(number)) }
      await service.waitForClients(1)
      // All others have gone. The system takes some of the answer now and then, and each time the wait begins anew.
      while service.server.state.stalled == 0 {
        clock.move(by: .seconds(30))
        await Task.yield()
      }
      await service.waitForClients(0)
      #expect(service.server.state.stalled == 1)
      _ = slow
    }
  }

  @Test func `a client that leaves is noticed while nothing is sent`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", "[]")
      for path in ["/documents/a/events", "/documents/a/log"] {
        _ = try await service.listen(path)
        await service.waitForClients(0)
      }
      #expect(service.server.state.stalled == 0)
    }
  }

  @Test func `a client that leaves in the middle of an answer hurts nobody`() async throws {
    try await RunningServer.run { service in
      try await service.edit("a", bigEdit(0))
      for _ in 1...20 {
        let client = try service.connect()
        try await client.send(
          client.request("GET", "/documents/a/events"))
        _ = try await client.connection.read(atMost: 10)
      }
      await service.waitForClients(0)
      #expect(try await service.ask("GET", "/documents/a").status == 200)
    }
  }

  @Test func `a request that does not come is not waited for`() async throws {
    let clock = ManualClock()
    try await RunningServer.run(clock: clock) { service in
      let client = try service.connect()
      try await client.send("GET /documents/a HTT")
      await clock.waitForSleepers()
      clock.move(by: .seconds(10))
      #expect(try await client.answer().status == 408)
    }
  }

  @Test func `what is sent beyond the clients it takes waits, and is answered`() async throws {
    var limits = DocumentServer.Limits()
    limits.server.clients = 2
    try await RunningServer.run(limits: limits) { service in
      let counts = Recorder<Int>()
      let counting = service.server.state.states(\.clients).subscribe { counts.append($0) }
      try await service.edit("a", "[]")
      let first = try await service.listen("/documents/a/events")
      var second: EventReader? = try await service.listen("/documents/a/events")
      async let third = service.ask("GET", "/documents/a")
      _ = try await second?.document()
      second = nil
      #expect(try await third.status == 200)
      #expect(counts.values.max() == 2)
      _ = first
      counting.cancel()
    }
  }
}
