/// What the parts of a report share: how wide the page is, and colours for a terminal that wants them.
struct Canvas: Sendable {
  /// What a piece of text is, as its colour shows.
  enum Ink: String {
    case heading = "1"
    case faint = "2"
    case bar = "38;5;74"
    case added = "32"
    case deleted = "31"
  }

  let width: Int
  let isColored: Bool

  /// Without a terminal a page is 80 columns wide, so that two runs look the same.
  init(width: Int? = nil, isColored: Bool = false) {
    self.width = min(max(width ?? 80, 64), 120)
    self.isColored = isColored
  }

  /// Colours only on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
  init(for output: Output, environment: [String: String]) {
    let refusesColor = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    self.init(width: output.width, isColored: output.width != nil && !refusesColor)
  }

  func paint(_ text: String, _ ink: Ink) -> String { paint(text, ink.rawValue) }

  private func paint(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// One cell of a heat map: by colour, or by how dark it is.
  func cell(level: Int) -> String {
    if !isColored { return ["·", "░", "▒", "▓", "█"][level] }
    return paint(level == 0 ? "·" : "■", "38;5;\([240, 22, 28, 34, 46][level])")
  }

  func heading(_ title: String, _ remark: String = "") -> String {
    paint(title, .heading) + (remark.isEmpty ? "" : paint("  \(remark)", .faint))
  }

  func faint(_ text: String) -> String { paint(text, .faint) }

  /// `+12 -3`, each in its own column and colour.
  func lines(_ lines: Lines, columns: Int = 0) -> String {
    paint("+\(Figure.count(lines.added))".leading(columns), .added) + " "
      + paint("-\(Figure.count(lines.deleted))".leading(columns), .deleted)
  }

  /// The columns that each figure of such lines takes, with its sign.
  func columns(for lines: [Lines]) -> Int {
    1 + (lines.map { Figure.count(max($0.added, $0.deleted)).count }.max() ?? 0)
  }

  func bar(_ number: Int, of largest: Int, columns: Int) -> String {
    let bar = Figure.bar(number, of: largest, columns: columns)
    return paint(bar, .bar) + "".leading(columns - bar.count)
  }
}

extension String {
  /// The text at the right end of so many columns.
  func leading(_ columns: Int, with filling: String = " ") -> String {
    String(repeating: filling, count: max(0, columns - count)) + self
  }
}
