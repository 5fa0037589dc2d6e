/// The texts of the string literals in a Swift file, as the messages that a program says them in.
///
/// A literal is cut where it interpolates, and each run of white space counts as one space: so a message is found
/// however it is broken into lines. The code that is interpolated is searched as well.
struct MessageLiterals {
  private let characters: [Character]
  private var position = 0
  private(set) var pieces: [String] = []

  /// The pieces of all literals in `text`; comments have none.
  static func pieces(of text: String) -> [String] {
    var literals = MessageLiterals(characters: Array(text))
    literals.readCode(isInterpolated: false)
    return literals.pieces.map(normal)
  }

  /// A text with each run of white space as one space, and lines joined that a backslash breaks.
  static func normal(_ text: String) -> String {
    text.replacing(#/\\\n\s*/#, with: "").replacing(#/\s+/#, with: " ")
  }

  private init(characters: [Character]) {
    self.characters = characters
  }

  private mutating func readCode(isInterpolated: Bool) {
    var depth = 0
    while position < characters.count {
      if starts(with: "//") {
        while position < characters.count && characters[position] != "\n" { position += 1 }
      } else if starts(with: "\"") {
        readLiteral()
      } else {
        if isInterpolated && characters[position] == ")" && depth == 0 {
          position += 1
          return
        }
        if characters[position] == "(" { depth += 1 }
        if characters[position] == ")" { depth -= 1 }
        position += 1
      }
    }
  }

  private mutating func readLiteral() {
    let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    position += quotes.count
    var piece = ""
    while position < characters.count && !starts(with: quotes) {
      if starts(with: "\\(") {
        position += 2
        pieces.append(piece)
        piece = ""
        readCode(isInterpolated: true)
      } else if starts(with: "\\") && !starts(with: "\\\n") {
        // An escaped quote or backslash stands for itself; a line break is white space.
        piece.append(starts(with: "\\n") ? "\n" : characters[position + 1])
        position += 2
      } else {
        piece.append(characters[position])
        position += 1
      }
    }
    position += quotes.count
    pieces.append(piece)
  }

  private func starts(with text: String) -> Bool {
    characters[position...].starts(with: text)
  }
}
