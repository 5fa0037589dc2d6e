import Foundation
import Lensed
import Testing

@Suite("SnapshotMigration: one for each type of state")
struct SnapshotMigrationTests {
  private struct Cart: Sendable, Codable, Equatable { var total = 0 }
  private struct Profile: Sendable, Codable, Equatable { var name = "" }
  private struct Whole: Sendable, Codable {
    var cart: Snapshot<Cart>
    var profile: Snapshot<Profile>
  }

  private static var old: Data {
    Data(#"{"cart":{"version":1,"state":{"sum":7}},"profile":{"version":2,"state":"Uhura"}}"#.utf8)
  }

  @Test func `two on one decoder leave each other alone, in either order`() throws {
    struct OldCart: Codable { var sum: Int }
    for order in [[0, 1], [1, 0]] {
      let decoder = JSONDecoder()
      for next in order {
        if next == 0 {
          decoder.userInfo[Snapshot<Cart>.migration] = SnapshotMigration<Cart>(to: 2) { _, old in
            Cart(total: try old.decode(OldCart.self).sum)
          }
        } else {
          decoder.userInfo[Snapshot<Profile>.migration] = SnapshotMigration<Profile>(to: 3) {
            Profile(name: "\(try $1.decode(String.self)) (\($0))")
          }
        }
      }
      let whole = try decoder.decode(Whole.self, from: Self.old)
      #expect(whole.cart == Snapshot(Cart(total: 7), version: 2))
      #expect(whole.profile == Snapshot(Profile(name: "Uhura (2)"), version: 3))
    }
  }

  @Test func `types of one name in two places have keys of their own`() {
    func first() -> CodingUserInfoKey {
      struct State: Sendable, Codable {}
      return Snapshot<State>.migration
    }
    func second() -> CodingUserInfoKey {
      struct State: Sendable, Codable {}
      return Snapshot<State>.migration
    }
    #expect(first() != second())
    #expect(first() == first())
  }

  @Test func `another value in its place is an error that names both`() {
    let decoder = JSONDecoder()
    decoder.userInfo[Snapshot<Cart>.migration] = SnapshotMigration<Profile>(to: 2) { _, _ in
      Profile()
    }
    let data = Data(#"{"version":1,"state":{"total":3}}"#.utf8)
    let error = #expect(throws: SnapshotError.self) {
      try decoder.decode(Snapshot<Cart>.self, from: data)
    }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("SnapshotMigration<Profile>") && message.contains("Snapshot<Cart>"))
  }

  @Test(arguments: [0, -1, Int.min]) func `a version below 1 is refused`(version: Int) {
    let decoder = JSONDecoder()
    decoder.userInfo[Snapshot<Cart>.migration] = SnapshotMigration<Cart>(to: 2) { _, _ in Cart() }
    let data = Data(#"{"version":\#(version),"state":{"total":3}}"#.utf8)
    #expect(throws: SnapshotError.unknownVersion(version, known: 2)) {
      try decoder.decode(Snapshot<Cart>.self, from: data)
    }
    #expect(throws: SnapshotError.unknownVersion(version, known: 1)) {
      try JSONDecoder().decode(Snapshot<Cart>.self, from: data)
    }
  }
}
