import LensedTestSupport
import Testing

@testable import Lensed

@Suite("Effects: the tree of works against a plain model", .timeLimit(.minutes(5)))
struct WorkTreeTests {
  private let site = CallSite()
  private let store = EmptyStore()

  /// A store in which no commit is ever under way.
  private final class EmptyStore: WorkStore {
    func forget(_ seat: Int) {}
    func awaitCommit() {}
    func report(_ error: any Error, of label: WorkNode.Label) {}
  }

  /// What is known of one work without asking it.
  private struct Record {
    let work: WorkNode
    let parent: Int?
    var relation = WorkRelation.caused
    var isWatched: Bool
    var isRunning = true
  }

  /// Whether anything in a work, or below it, still runs.
  private func isAlive(_ index: Int, in records: [Record]) -> Bool {
    records[index].isRunning
      || records.indices.contains { records[$0].parent == index && isAlive($0, in: records) }
  }

  /// Whether a cancellation of `root` reaches a work: not across a link that is less than `closeness`.
  private func reaches(
    _ index: Int, from root: Int, _ closeness: WorkRelation, in records: [Record]
  ) -> Bool {
    if index == root { return true }
    guard let parent = records[index].parent, records[index].relation >= closeness else {
      return false
    }
    return reaches(parent, from: root, closeness, in: records)
  }

  @Test(arguments: [3, 77, 2_024] as [UInt64])
  func `thousands of random steps`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<200 {
      var records = [
        Record(
          work: WorkNode(.sequence(site), in: store, isBegun: true), parent: nil, isWatched: true)
      ]
      var cancelled: [(root: Int, closeness: WorkRelation)] = []
      for step in 0..<40 {
        let place = "seed \(seed), round \(round), step \(step)"
        let index = Int.random(in: records.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          guard records[index].isRunning else { continue }
          let isWatched = Bool.random(using: &random)
          let relation = WorkRelation.allCases.randomElement(using: &random) ?? .caused
          let work = WorkNode(
            .sequence(site), in: store, under: records[index].work, relation: relation,
            isBegun: true, isWatched: isWatched)
          work.join()
          records.append(
            Record(work: work, parent: index, relation: relation, isWatched: isWatched))
        case 2:
          guard records[index].isRunning else { continue }
          records[index].isRunning = false
          records[index].work.end()
        default:
          if records[index].isWatched && index > 0 {
            records[index].isWatched = false
            records[index].work.unwatch()
          } else if Int.random(in: 0..<10, using: &random) == 0, records[index].isWatched,
            isAlive(index, in: records)
          {
            cancelled.append((index, .caused))
            records[index].work.cancel()
          } else if Int.random(in: 0..<10, using: &random) == 0, records[index].isRunning {
            // It gives way: what it owns ends, and what its commits have caused goes on.
            cancelled.append((index, .owned))
            WorkNode.drop([records[index].work])
          }
        }
        for index in records.indices {
          let record = records[index]
          // A work that nobody can ask for may have handed over what is left of it.
          if record.isWatched || record.isRunning {
            #expect(record.work.isFinished == !isAlive(index, in: records), "\(place)")
          }
          guard record.isRunning else { continue }
          let isReached = cancelled.contains {
            reaches(index, from: $0.root, $0.closeness, in: records)
          }
          #expect(record.work.isCancelled == isReached, "\(place), work \(index)")
        }
      }
      for record in records where record.isRunning { record.work.end() }
      #expect(records[0].work.isFinished)
    }
  }

  @Test func `a chain costs what its ends cost, however long it gets`() {
    let root = WorkNode(.sequence(site), in: store, isBegun: true)
    var last = root
    for _ in 0..<100_000 {
      let next = WorkNode(.sequence(site), in: store, under: last, isBegun: true)
      next.join()
      last.end()
      last = next
    }
    #expect(root.children.map { ObjectIdentifier($0) } == [ObjectIdentifier(last)])
    #expect(!root.isFinished)
    root.cancel()
    #expect(last.isCancelled)
    last.end()
    #expect(root.isFinished)
  }

  @Test func `a chain of works that somebody holds is let go of without recursion`() {
    let root = WorkNode(.sequence(site), in: store, isBegun: true)
    var chain = [root]
    for _ in 0..<100_000 {
      let next = WorkNode(
        .sequence(site), in: store, under: chain[chain.count - 1], isBegun: true, isWatched: true)
      next.join()
      chain.append(next)
    }
    root.cancel()
    let areCancelled = chain.allSatisfy(\.isCancelled)
    #expect(areCancelled)
    for work in chain { work.end() }
    let areFinished = chain.allSatisfy(\.isFinished)
    #expect(areFinished)
    let (first, last) = (WeakReference(chain.first), WeakReference(chain.last))
    chain = []
    #expect(last.object == nil && first.object === root)
  }

  @Test func `what joins a work that handed its children over joins where these went`() {
    let root = WorkNode(.sequence(site), in: store, isBegun: true)
    let middle = WorkNode(.sequence(site), in: store, under: root, isBegun: true)
    let child = WorkNode(.sequence(site), in: store, under: middle, isBegun: true)
    #expect(middle.join() == .joined && child.join() == .joined)
    middle.end()
    let late = WorkNode(.sequence(site), in: store, under: middle, isBegun: true)
    #expect(late.join() == .joined)
    root.end()
    child.end()
    #expect(!root.isFinished)
    root.cancel()
    #expect(middle.isCancelled && late.isCancelled)
    late.end()
    #expect(root.isFinished)
    let tooLate = WorkNode(.sequence(site), in: store, under: middle, isBegun: true)
    #expect(tooLate.join() == .refused)
  }

  @Test func `many threads end, hand over and cancel at once`() async {
    for _ in 0..<200 {
      let root = WorkNode(.sequence(site), in: store, isBegun: true)
      let chains = (0..<4).map { _ in
        let first = WorkNode(.sequence(site), in: store, under: root, isBegun: true)
        first.join()
        return first
      }
      Threads.run(5) { index in
        if index == 4 { return root.cancel() }
        var last = chains[index]
        for _ in 0..<50 {
          let next = WorkNode(
            .sequence(CallSite()), in: store, under: last, isBegun: true, isWatched: true)
          next.join()
          last.end()
          next.unwatch()
          last = next
        }
        last.end()
      }
      #expect(!root.isFinished && root.children.isEmpty)
      root.end()
      #expect(root.isFinished && root.isCancelled)
    }
  }
}
