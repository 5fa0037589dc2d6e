#if os(Linux) || os(macOS)
  import Foundation
  import Lensed
  import LensedServer
  import LensedTestSupport
  import Testing

  @testable import tracker

  @Suite("A tracker that is killed", .timeLimit(.minutes(30)))
  struct TrackerTests {
    /// The tracker as a process, with what it answers.
    private struct Running {
      let program: Program
      let port: UInt16

      init(_ folder: URL) throws {
        program = try Program(builtBesideTheTests: "tracker", [folder.path], output: .pipe)
        let line = String(decoding: program.output?.availableData ?? Data(), as: UTF8.self)
        port = try #require(UInt16(line.trimmingCharacters(in: .newlines)))
      }

      func ask(
        _ method: String, _ path: String, _ body: String? = nil, _ readiness: Readiness
      ) async throws -> Answer {
        try await TestClient.ask(method, path, body: body, port: port, readiness)
      }

      func kill() {
        program.kill()
        program.wait()
      }
    }

    /// Asks for a move, and returns whether that was answered before the process was killed.
    private static func isMoved(
      _ card: Int, _ port: UInt16, _ readiness: Readiness
    ) async throws -> Bool {
      let client = try TestClient(port: port, readiness)
      try await client.send(
        client.request("POST", "/moves", body: #"{"card": \#(card), "board": "b"}"#))
      let bytes = try await client.connection.read(atMost: 65_536)
      return String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200")
    }

    /// The moves of each client that were answered.
    private final class Moves: Sendable {
      private let counts = Locked([0, 0, 0, 0])

      var answered: [Int] { counts.withLock { $0 } }

      /// Notes one, and returns how many there are.
      func note(_ client: Int) -> Int {
        counts.withLock { counts in
          counts[client] += 1
          return counts.reduce(0, +)
        }
      }
    }

    @Test func `four clients lose no card and no move that was answered`() async throws {
      // Once, a few times, of some cards; in the long run fifty times, of 50,000.
      let isLong = VerificationLength.factor > 10
      let (rounds, count) = isLong ? (50, 50_000) : (3, 500)
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "lensed-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let readiness = try Readiness()
      defer { readiness.stop() }
      var generator = SeededGenerator(seed: 8)
      let first = try Running(folder)
      _ = try await first.ask("POST", "/boards", #"{"id": "a", "name": "A"}"#, readiness)
      let filled = try await first.ask(
        "POST", "/fill", #"{"board": "a", "cards": \#(count)}"#, readiness)
      #expect(filled.status == 200)
      first.kill()
      var answered = [0, 0, 0, 0]
      for round in 0..<rounds {
        let running = try Running(folder)
        let limit = Int.random(in: 1...12, using: &generator)
        let (port, program) = (running.port, running.program)
        let moves = Moves()
        await withTaskGroup(of: Void.self) { group in
          for client in 0..<4 {
            group.addTask {
              while true {
                guard (try? await Self.isMoved(client, port, readiness)) == true else { return }
                // In the middle of what the others ask.
                if moves.note(client) == limit { program.kill() }
              }
            }
          }
        }
        running.kill()
        let next = try Running(folder)
        let cards = try await next.ask("GET", "/cards", nil, readiness)
          .decoded(as: [Tracker.Card].self)
        next.kill()
        #expect(cards.count == count && cards.map(\.id) == Array(0..<count), "round \(round)")
        for client in 0..<4 {
          let least = answered[client] + moves.answered[client]
          // One more may be kept whose answer was not read.
          #expect((least...least + 1).contains(cards[client].moves), "round \(round)")
          answered[client] = cards[client].moves
        }
      }
    }
  }
#endif
