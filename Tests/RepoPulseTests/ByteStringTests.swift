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

  @Test func `what is UTF-8 is in JSON as it is, and what is none is a list of its bytes`() throws {
    let names = ["\u{E9}\"", "e\u{301}", ByteString([0x61, 0xFF, 0]), "\u{0}", ""] as [ByteString]
    let data = try JSONEncoder().encode(names)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"["\#u{E9}\"","e\#u{301}",[97,255,0],"\u0000",""]"#)
  }

  @Test(arguments: ["[256]", "[-1]", "[\"a\"]", "{}", "7", "null"])
  func `what is neither text nor bytes is refused`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ByteString].self, from: Data("[\(text)]".utf8))
    }
  }

  @Test func `names go by their bytes`() {
    #expect(
      ["b", "a\u{FF}", "a", ""].map { ByteString($0) }.sorted() == ["", "a", "a\u{FF}", "b"])
  }
}
