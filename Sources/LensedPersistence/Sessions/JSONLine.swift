/// An object of JSON that is written member by member.
struct JSONLine {
  private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]
  var isEmpty: Bool { bytes.count == 1 }

  var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }

  private mutating func key(_ key: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    JSONText.write(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func add(_ name: String, _ text: String) {
    key(name)
    JSONText.write(text, to: &bytes)
  }

  mutating func add(_ name: String, _ number: some BinaryInteger) {
    key(name)
    bytes += "\(number)".utf8
  }

  mutating func add(_ name: String, _ flag: Bool) {
    key(name)
    bytes += (flag ? "true" : "false").utf8
  }

  mutating func add(_ name: String, json: some Sequence<UInt8>) {
    key(name)
    bytes += json
  }

  /// Seconds with six digits; zero for a time before the beginning.
  mutating func add(_ name: String, seconds time: Duration) {
    key(name)
    let (seconds, rest) = max(.zero, time).components
    let digits = String(rest / 1_000_000_000_000)
    bytes += "\(seconds).".utf8
    bytes += String(repeating: "0", count: max(0, 6 - digits.count)).utf8
    bytes += digits.utf8
  }

  mutating func add(_ name: String, _ texts: [String]) {
    key(name)
    JSONText.list(texts.map(JSONText.string)).write(to: &bytes)
  }

  mutating func addList<Element>(
    _ name: String, _ elements: [Element], _ body: (Element, inout JSONLine) -> Void
  ) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    for element in elements {
      var object = JSONLine()
      body(element, &object)
      if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
      bytes += object.closed
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
