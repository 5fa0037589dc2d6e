import Lensed
import LensedTestSupport
import Testing

@Suite("Lens: modify hands on what its function gives")
struct LensModifyTests {
  private struct Refusal: Error, Equatable {
    let reason: String
  }

  @Test(arguments: Valley.lenses)
  func `it returns what the function returned`(_ built: BuiltLens<Valley, [Int]>) {
    var valley = Valley()
    let count = built.lens.modify(&valley) { part in
      part = [1, 2, 3]
      return part.count
    }
    #expect(count == 3)
    #expect(built.lens.get(valley) == [1, 2, 3])
  }

  @Test(arguments: Valley.lenses)
  func `it throws what the function threw, and keeps what it wrote before`(
    _ built: BuiltLens<Valley, [Int]>
  ) {
    var valley = Valley()
    #expect(throws: Refusal(reason: "enough")) {
      try built.lens.modify(&valley) { part in
        part = [1]
        throw Refusal(reason: "enough")
      }
    }
    #expect(built.lens.get(valley) == [1])
  }

  @Test func `the error keeps its type`() {
    var valley = Valley()
    do throws(Refusal) {
      try Lens(\Valley.stored).modify(&valley) { (_: inout [Int]) throws(Refusal) in
        throw Refusal(reason: "typed")
      }
    } catch {
      #expect(error.reason == "typed")
    }
  }

  @Test func `a modify: that forgets its function traps with a sentence`() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lens = Lens<[Int], Int>(name: "elements", get: { $0[0] }, modify: { _, _ in })
        var list = [1]
        lens.modify(&list) { $0 += 1 }
      })
    #expect(result.message.contains("elements"))
    #expect(result.message.contains("exactly once"))
  }
}
