import Testing

@testable import Lensed

/// What the table of memos removes, its caller releases without the lock of the store.
@Suite("A table of memos loses none of those that it removes", .timeLimit(.minutes(30)))
struct MemoTableTests {
  private final class Subject: Sendable {}

  @Test func `whatever is abandoned while it looks`() {
    let subjects = (0..<40).map { _ in Subject() }
    var table = MemoTable()
    var (kept, removed) = (0, 0)
    for subject in subjects {
      for place in [MemoKey.Place.offset(0), .offset(8)] {
        // Each is abandoned right after it was asked about for the first time.
        var asked: Set<ObjectIdentifier> = []
        let key = MemoKey(object: ObjectIdentifier(subject), place: place)
        let gone = table.insert(Boxed(kept), by: key) { memo in
          !asked.insert(ObjectIdentifier(memo)).inserted
        }
        kept += 1
        removed += gone.count
        #expect(table.count + removed == kept)
      }
    }
    #expect(table.removeAll().count + removed == kept)
  }

  @Test func `all that were abandoned, and no others`() {
    let subjects = (0..<16).map { _ in Subject() }
    var table = MemoTable()
    let keys = subjects.map { MemoKey(object: ObjectIdentifier($0), place: .offset(0)) }
    let boxes = keys.map { _ in Boxed(0) }
    let abandoned = Set(boxes.prefix(6).map { ObjectIdentifier($0) })
    for (key, box) in zip(keys, boxes) {
      #expect(table.insert(box, by: key) { abandoned.contains(ObjectIdentifier($0)) }.isEmpty)
    }
    let next = MemoKey(object: ObjectIdentifier(Subject.self), place: .offset(8))
    let gone = table.insert(Boxed(1), by: next) { abandoned.contains(ObjectIdentifier($0)) }
    #expect(Set(gone.map { ObjectIdentifier($0) }) == abandoned)
    #expect(table.count == 11)
    #expect(keys.prefix(6).allSatisfy { table.memo($0) == nil })
  }
}
