import Lensed
import Synchronization
import Testing

@testable import repo_pulse

@Suite struct CommitFeedTests {
  @Test func `a commit is one list, its header first and each file with its author's share`()
    async throws
  {
    var log = LogBytes()
    log.commit("1", author: "Ada")
    log.add("\n4\t2\tfile")
    let feed = CommitFeed(chunks: Chunks([log.bytes]))
    var lists: [ActionList] = []
    for try await list in feed {
      lists.append(list)
    }
    let actions = try #require(lists.first).actions
    #expect(lists.count == 1)
    #expect((actions.first as? CommitAction)?.id == "1")
    let shares = actions.compactMap { $0 as? ElementAction<ByteString, AuthorAction> }
    #expect(shares.map(\.id) == ["Ada", "Ada"])
    let lines = Lines(added: 4, deleted: 2)
    #expect(shares.map(\.action) == [.committed(Day("2024-02-29")), .changed(lines)])
    #expect(actions.compactMap { $0 as? FileAction }.map(\.path) == ["file"])
  }

  @Test func `no more is read than the next commit needs`() async throws {
    let log = LogBytes.history(of: "Ada", adding: Array(1...100))
    let chunks = Chunks(log.chunks(of: 64))
    var commits = CommitFeed(chunks: chunks).makeAsyncIterator()
    for taken in 1...10 {
      _ = try await commits.next()
      let read = chunks.pulls * 64
      #expect(read < (taken + 3) * log.bytes.count / 100, "after \(taken) commits")
    }
  }

  @Test func `an ended feed stays ended`() async throws {
    var commits = CommitFeed(chunks: Chunks([LogBytes.history(of: "Ada", adding: [1]).bytes]))
      .makeAsyncIterator()
    #expect(try await commits.next() != nil)
    #expect(try await commits.next() == nil)
    #expect(try await commits.next() == nil)
  }
}

/// Chunks at hand, which counts how many have been asked for.
final class Chunks: AsyncSequence, Sendable {
  private let chunks: [[UInt8]]
  private let failure: Failure?
  private let pulled = Mutex(0)

  init(_ chunks: [[UInt8]], failure: Failure? = nil) {
    self.chunks = chunks
    self.failure = failure
  }

  var pulls: Int { pulled.withLock { $0 } }

  func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

  struct Iterator: AsyncIteratorProtocol {
    let chunks: Chunks

    mutating func next() async throws -> [UInt8]? {
      let index = chunks.pulled.withLock { count in
        defer { count += 1 }
        return count
      }
      if index < chunks.chunks.count { return chunks.chunks[index] }
      if let failure = chunks.failure { throw failure }
      return nil
    }
  }
}
