/// What the parts of a report share: how wide the page is, and whether it has colours.
struct Canvas: Sendable {
  static let widths = 64...120

  let width: Int
  let style: Style

  /// Without a terminal a page is 80 columns wide, so that two runs look the same.
  init(width: Int? = nil, style: Style = .plain) {
    self.width = min(max(width ?? 80, Canvas.widths.lowerBound), Canvas.widths.upperBound)
    self.style = style
  }

  func heading(_ title: String, _ remark: String = "") -> String {
    style.paint(title, .heading) + (remark.isEmpty ? "" : style.paint("  \(remark)", .faint))
  }

  func faint(_ text: String) -> String { style.paint(text, .faint) }

  /// `+12 -3`, each in its own column and colour.
  func lines(_ lines: Lines, columns: Int = 0) -> String {
    let added = "+\(Figure.count(lines.added))".leading(columns)
    let deleted = "-\(Figure.count(lines.deleted))".leading(columns)
    return style.paint(added, .added) + " " + style.paint(deleted, .deleted)
  }

  /// The columns that each figure of such lines takes, with its sign.
  func columns(for lines: [Lines]) -> Int {
    1 + (lines.map { Figure.count(max($0.added, $0.deleted)).count }.max() ?? 0)
  }

  func bar(_ number: Int, of largest: Int, columns: Int) -> String {
    let bar = Figure.bar(number, of: largest, columns: columns)
    let filling = String(repeating: " ", count: max(0, columns - bar.count))
    return style.paint(bar, .bar) + filling
  }
}

extension String {
  /// The text at the right end of so many columns.
  func leading(_ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - count)) + self
  }
}
