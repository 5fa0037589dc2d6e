/// The code of a Swift file: what is left when comments and the text of strings are taken out.
///
/// What a string interpolates is code and stays. Line breaks stay, so that a line keeps its place.
struct SourceText {
  private let bytes: [UInt8]
  private var position = 0
  private var kept: [UInt8] = []

  private static let beginnings = Array("/#\"()".utf8)

  /// The code in `text`.
  static func code(in text: String) -> String {
    var source = SourceText(bytes: Array(text.utf8))
    source.readCode(isInterpolated: false)
    return String(decoding: source.kept, as: UTF8.self)
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func readCode(isInterpolated: Bool) {
    var depth = 0
    while position < bytes.count {
      // Most bytes begin nothing; comparing each with every beginning takes a debug build five times as long.
      if !Self.beginnings.contains(bytes[position]) {
        keep()
      } else if starts(with: "//") {
        skipLine()
      } else if starts(with: "/*") {
        skipBlock()
      } else if let hashes = hashesBeforeQuote() {
        readString(hashes: hashes)
      } else {
        if isInterpolated && starts(with: ")") && depth == 0 {
          position += 1
          return
        }
        if starts(with: "(") { depth += 1 }
        if starts(with: ")") { depth -= 1 }
        keep()
      }
    }
  }

  private mutating func readString(hashes: Int) {
    position += hashes
    let fence = String(repeating: "#", count: hashes)
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    position += quotes.utf8.count
    kept += Array("\"".utf8)
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "\"") && bytes[position] != UInt8(ascii: "\\") {
        skip()
        continue
      }
      if starts(with: quotes + fence) {
        position += quotes.utf8.count + hashes
        kept += Array("\"".utf8)
        return
      }
      if starts(with: "\\" + fence + "(") {
        position += hashes + 2
        kept += Array(" ".utf8)
        readCode(isInterpolated: true)
        kept += Array(" ".utf8)
      } else if starts(with: "\\" + fence) {
        position += hashes + 2
      } else {
        skip()
      }
    }
  }

  private mutating func skipLine() {
    while position < bytes.count && bytes[position] != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipBlock() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
      } else {
        skip()
      }
    } while depth > 0 && position < bytes.count
    kept += Array(" ".utf8)
  }

  /// How many `#` stand before the quote that opens a string here; nil where none opens.
  private func hashesBeforeQuote() -> Int? {
    let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
    let quote = position + hashes
    return quote < bytes.count && bytes[quote] == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func keep() {
    kept.append(bytes[position])
    position += 1
  }

  private mutating func skip() {
    if position < bytes.count, bytes[position] == UInt8(ascii: "\n") {
      kept.append(bytes[position])
    }
    position += 1
  }

  private func starts(with text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }
}
