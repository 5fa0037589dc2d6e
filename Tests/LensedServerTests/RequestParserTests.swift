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

  @Test func `the value of a header is any text, and the rest of a head is printable ASCII`() throws
  {
    let values: [(sent: [UInt8], value: String)] = [
      (Array("a=1; b=schön 日本".utf8), "a=1; b=schön 日本"), (Array("a\tb".utf8), "a\tb"),
      (Array("\t a\u{301} \t".utf8), "a\u{301}"), (Array("\u{301}a\u{A0}".utf8), "\u{301}a\u{A0}"),
      ([0xE9, 0xFF], "\u{FFFD}\u{FFFD}"), (Array("a: b".utf8), "a: b"),
    ]
    for (sent, value) in values {
      var parser = RequestParser()
      let head = Array("GET / HTTP/1.1\r\nCookie:".utf8) + sent + Array("\r\nX: y\r\n\r\n".utf8)
      let request = try parser.feed(head)
      #expect(request?.headers == ["cookie": value, "x": "y"])
    }
    let refused = [
      "GET /é HTTP/1.1\r\n\r\n", "GÉT / HTTP/1.1\r\n\r\n", "GET\t/ HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nÉ: a\r\n\r\n", "GET / HTTP/1.1\r\nA\t: a\r\n\r\n",
      "GET / HTTP/1.1\r\n\tA: a\r\n\r\n", "GET / HTTP/1.1\r\nA: \0\r\n\r\n",
      "GET / HTTP/1.1\r\nA: \u{7F}\r\n\r\n", "GET / HTTP/1.1\r\nA: a\nB: b\r\n\r\n",
      "GET / HTTP/1.1\r\nA: a\rB: b\r\n\r\n", "GET / HTTP/1.1\r\nA: a\r\r\n\r\n",
    ]
    for text in refused {
      var parser = RequestParser()
      let refusal = #expect(throws: Refusal.self) { try parser.feed(Array(text.utf8)) }
      #expect(refusal?.status == .badRequest, "\(text.debugDescription)")
    }
  }

  @Test func `random requests never make the parser trap`() {
    var random = SeededGenerator(seed: 19)
    let pieces = [
      "GET", " ", "/", "%", "41", "HTTP/1.1", "\r\n", "\n", ":", "Host", "Content-Length", "9", "é",
      "\t", "\r",
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
