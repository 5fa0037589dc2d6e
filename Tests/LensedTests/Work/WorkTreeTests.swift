import LensedTestSupport
import Testing

@testable import Lensed

@Suite("The tree of works does what a plain model does", .timeLimit(.minutes(30)))
struct WorkTreeTests {
  private let site = CallSite()
  private let store = EmptyStore()

  /// The model of one work.
  private struct Record {
    let work: WorkNode
    let parent: Int?
    var relation = WorkRelation.caused
    var hasHandle: Bool
    var isRunning = true
  }

  /// Whether a work, or a work below it, still runs.
  private func isAlive(_ index: Int, in records: [Record]) -> Bool {
    records[index].isRunning
      || records.indices.contains { records[$0].parent == index && isAlive($0, in: records) }
  }

  /// Whether the code of a work, or of one that it owns, still runs.
  private func runs(_ index: Int, in records: [Record]) -> Bool {
    records[index].isRunning
      || records.indices.contains {
        records[$0].parent == index && records[$0].relation == .owned && runs($0, in: records)
      }
  }

  /// Whether a cancellation of `root` reaches a work, across relations of at least `closeness`.
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
  func `random steps end and cancel the same works as in the model`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<VerificationLength.programs {
      var records = [
        Record(
          work: WorkNode(.sequence(site), in: store, hasClaim: true), parent: nil, hasHandle: true)
      ]
      var cancelled: [(root: Int, closeness: WorkRelation)] = []
      for step in 0..<40 {
        let place = "seed \(seed), round \(round), step \(step)"
        let index = Int.random(in: records.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          guard records[index].isRunning else { continue }
          let hasHandle = Bool.random(using: &random)
          let relation = WorkRelation.allCases.randomElement(using: &random) ?? .caused
          let work = WorkNode(
            .sequence(site), in: store, under: records[index].work, relation: relation,
            hasClaim: true, hasHandle: hasHandle)
          work.attach(to: records[index].work)
          records.append(
            Record(work: work, parent: index, relation: relation, hasHandle: hasHandle))
        case 2:
          guard records[index].isRunning else { continue }
          records[index].isRunning = false
          records[index].work.endClaim()
        default:
          if records[index].hasHandle && index > 0 {
            records[index].hasHandle = false
            records[index].work.releaseHandle()
          } else if Int.random(in: 0..<10, using: &random) == 0, records[index].hasHandle,
            isAlive(index, in: records)
          {
            cancelled.append((index, .caused))
            records[index].work.cancel()
          } else if Int.random(in: 0..<10, using: &random) == 0, runs(index, in: records) {
            // It gives way: what it owns ends, and what its commits have caused goes on. Its own code may have
            // returned already.
            cancelled.append((index, .owned))
            WorkNode.drop([records[index].work])
          }
        }
        for index in records.indices {
          let record = records[index]
          // A work without a handle may have reparented its children, and ended early.
          if record.hasHandle || record.isRunning {
            #expect(record.work.isFinished == !isAlive(index, in: records), "\(place)")
          }
          guard record.isRunning else { continue }
          let isReached = cancelled.contains {
            reaches(index, from: $0.root, $0.closeness, in: records)
          }
          #expect(record.work.isCancelled == isReached, "\(place), work \(index)")
        }
      }
      for record in records where record.isRunning { record.work.endClaim() }
      #expect(records[0].work.isFinished)
    }
  }

  @Test func `a chain of 100,000 works keeps only its two ends`() {
    let root = WorkNode(.sequence(site), in: store, hasClaim: true)
    var last = root
    for _ in 0..<100_000 {
      let next = WorkNode(.sequence(site), in: store, under: last, hasClaim: true)
      next.attach(to: last)
      last.endClaim()
      last = next
    }
    #expect(root.children.map { ObjectIdentifier($0) } == [ObjectIdentifier(last)])
    #expect(!root.isFinished)
    root.cancel()
    #expect(last.isCancelled)
    last.endClaim()
    #expect(root.isFinished)
  }

  @Test func `a chain of 100,000 held works is cancelled and released without recursion`() {
    let root = WorkNode(.sequence(site), in: store, hasClaim: true)
    var chain = [root]
    for _ in 0..<100_000 {
      let next = WorkNode(
        .sequence(site), in: store, under: chain[chain.count - 1], hasClaim: true, hasHandle: true)
      next.attach(to: chain[chain.count - 1])
      chain.append(next)
    }
    root.cancel()
    let areCancelled = chain.allSatisfy(\.isCancelled)
    #expect(areCancelled)
    for work in chain { work.endClaim() }
    let areFinished = chain.allSatisfy(\.isFinished)
    #expect(areFinished)
    let (first, last) = (WeakReference(chain.first), WeakReference(chain.last))
    chain = []
    #expect(last.object == nil && first.object === root)
  }

  @Test func `a work that attaches to a reparented work attaches to the new parent`() {
    let root = WorkNode(.sequence(site), in: store, hasClaim: true)
    let middle = WorkNode(.sequence(site), in: store, under: root, hasClaim: true)
    let child = WorkNode(.sequence(site), in: store, under: middle, hasClaim: true)
    #expect(middle.attach(to: root) == .attached && child.attach(to: middle) == .attached)
    middle.endClaim()
    let late = WorkNode(.sequence(site), in: store, under: middle, hasClaim: true)
    #expect(late.attach(to: middle) == .attached)
    root.endClaim()
    child.endClaim()
    #expect(!root.isFinished)
    root.cancel()
    #expect(middle.isCancelled && late.isCancelled)
    late.endClaim()
    #expect(root.isFinished)
    let tooLate = WorkNode(.sequence(site), in: store, under: middle, hasClaim: true)
    #expect(tooLate.attach(to: middle) == .refused)
  }

  @Test func `threads may end, reparent and cancel works at once`() async {
    for _ in 0..<200 {
      let root = WorkNode(.sequence(site), in: store, hasClaim: true)
      let chains = (0..<4).map { _ in
        let first = WorkNode(.sequence(site), in: store, under: root, hasClaim: true)
        first.attach(to: root)
        return first
      }
      Threads.run(5) { index in
        if index == 4 { return root.cancel() }
        var last = chains[index]
        for _ in 0..<50 {
          let next = WorkNode(
            .sequence(CallSite()), in: store, under: last, hasClaim: true, hasHandle: true)
          next.attach(to: last)
          last.endClaim()
          next.releaseHandle()
          last = next
        }
        last.endClaim()
      }
      #expect(!root.isFinished && root.children.isEmpty)
      root.endClaim()
      #expect(root.isFinished && root.isCancelled)
    }
  }

  /// The works of a tree of four levels, the root first.
  private func makeTree() -> [WorkNode] {
    var works = [WorkNode(.sequence(site), in: store, hasClaim: true)]
    for parent in 0..<21 {
      for _ in 0..<4 {
        let child = WorkNode(
          .sequence(site), in: store, under: works[parent], relation: .owned, hasClaim: true)
        child.attach(to: works[parent])
        works.append(child)
      }
    }
    return works
  }

  @Test func `of calls that cancel at once, each returns when the whole tree is cancelled`() {
    let failures = Counter()
    for _ in 0..<300 {
      let works = makeTree()
      Threads.run(3) { index in
        switch index {
        case 0: works[0].cancel()
        case 1: WorkNode.drop([works[0]])
        default: works[0].cancel()
        }
        if !works.allSatisfy(\.isCancelled) { failures.increment() }
      }
      for work in works.reversed() { work.endClaim() }
    }
    #expect(failures.value == 0)
  }

  @Test func `a call that cancels misses no work that is handed on meanwhile`() {
    let failures = Counter()
    for _ in 0..<300 {
      let works = makeTree()
      Threads.run(3) { index in
        if index == 2 {
          // All but the leaves end, from the root's children down: each hands on its children.
          for work in works[1..<21] { work.endClaim() }
          return
        }
        works[0].cancel()
        if !works[21...].allSatisfy(\.isCancelled) { failures.increment() }
      }
      for work in works[21...] { work.endClaim() }
      works[0].endClaim()
      #expect(works[0].isFinished)
    }
    #expect(failures.value == 0)
  }
}
