/// Colours for a terminal that wants them, and plain text for everything else.
struct Style: Sendable {
  /// What a piece of text is, as far as its colour goes.
  enum Ink {
    case heading
    case faint
    case bar
    case added
    case deleted
    /// A level of activity from 0, none, to 4, the most.
    case heat(Int)
  }

  static let plain = Style(isColored: false)

  let isColored: Bool

  init(isColored: Bool) {
    self.isColored = isColored
  }

  /// Colours only on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
  init(for output: Output, environment: [String: String]) {
    let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isColored = output.isTerminal && !refusesColor && environment["TERM"] != "dumb"
  }

  func paint(_ text: String, _ ink: Ink) -> String {
    guard isColored, !text.isEmpty else { return text }
    return "\u{1B}[\(ink.code)m\(text)\u{1B}[0m"
  }

  /// One cell of a heat map: by colour, or by how dark it is.
  func cell(level: Int) -> String {
    if isColored {
      return paint(level == 0 ? "·" : "■", .heat(level))
    }
    return ["·", "░", "▒", "▓", "█"][level]
  }
}

extension Style.Ink {
  fileprivate var code: String {
    switch self {
    case .heading: "1"
    case .faint: "2"
    case .bar: "38;5;74"
    case .added: "32"
    case .deleted: "31"
    case .heat(let level): "38;5;\([240, 22, 28, 34, 46][level])"
    }
  }
}
