import LensedServer
import LensedTestSupport
import LensedTesting
import Testing

@Suite("The server: reading a request", .timeLimit(.minutes(30)))
struct RequestParserTests {
  @Test func `a request may come byte by byte, however it is cut`() throws {
    let text =
      "POST /a/b%20c?d=e%20f&g HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n\r\n\r\n"
    let bytes = Array(text.utf8)
    let expected = Request(
      method: "POST", path: ["a", "b c"],
      query: ["d": "e f", "g": ""],
      headers: ["host": "localhost", "content-length": "4"], body: [13, 10, 13, 10])
    for size in 1...bytes.count {
      var (parser, result) = (RequestParser(), Request?.none)
      for start in stride(from: 0, to: bytes.count, by: size) {
        #expect(result == nil)
        result = try parser.feed(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(result == expected, "in pieces of \(size)")
    }
  }

  @Test func `random requests never make the parser trap`() {
    var random = SeededGenerator(seed: 19)
    let pieces = [
      "GET", " ", "/", "%", "41", "HTTP/1.1", "\r\n", "\n", ":", "Host", "Content-Length", "9", "é",
      "\r\n\r\n", "\0", "?",
    ]
    for _ in 0..<5_000 {
      var parser = RequestParser()
      let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      _ = try? parser.feed(Array(text.utf8))
    }
  }
}
