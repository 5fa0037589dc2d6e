import Foundation
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite("Names as bytes") struct ByteStringTests {
  /// Bytes from a small alphabet of parts of characters, so that whole and broken ones come up.
  private func names(seed: UInt64) -> [[UInt8]] {
    var random = SeededGenerator(seed: seed)
    let parts: [UInt8] = [
      0x00, 0x30, 0x41, 0x65, 0xCC, 0x81, 0xC3, 0xA9, 0xE2, 0x84, 0xAB, 0xF0, 0xFF,
    ]
    return (0..<2_000).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
        parts.randomElement(using: &random)
      }
    }
  }

  @Test(arguments: 1...4) func `bytes come back, and names are equal only where they are`(
    seed: UInt64
  ) throws {
    let names = names(seed: seed)
    for bytes in names { try #require(ByteString(bytes).bytes == bytes, "seed \(seed)") }
    #expect(Set(names.map { ByteString($0) }).count == Set(names).count, "seed \(seed)")
  }

  @Test(arguments: 1...4) func `they come back from JSON`(seed: UInt64) throws {
    let names = Array(Set(names(seed: seed).map { ByteString($0) }))
    let data = try JSONEncoder().encode(names)
    #expect(try JSONDecoder().decode([ByteString].self, from: data) == names, "seed \(seed)")
  }

  @Test func `what is UTF-8 is in JSON as it is, and any other byte as two digits`() throws {
    let data = try JSONEncoder().encode(
      ["\u{E9}\"", "e\u{301}", ByteString([0x61, 0xFF, 0])] as [ByteString])
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"["\#u{E9}\"","e\#u{301}","a\u0000FF\u000000"]"#)
  }

  @Test(arguments: ["\u{0}", "\u{0}4", "a\u{0}xy", "\u{0}é0", "\u{0}+F", "\u{0}０"])
  func `an escape without its digits is refused`(text: String) throws {
    let data = try JSONEncoder().encode([text])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ByteString].self, from: data) }
  }

  @Test func `names go by their bytes`() {
    #expect(
      ["b", "a\u{FF}", "a", ""].map { ByteString($0) }.sorted() == ["", "a", "a\u{FF}", "b"])
  }
}
