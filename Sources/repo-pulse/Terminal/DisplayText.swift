/// Text from a repository, made fit for a column of a terminal.
struct DisplayText: Equatable, Sendable {
  /// The text without what would move the cursor or turn the line around.
  let text: String
  /// How many cells of a terminal the text takes.
  let width: Int

  init(_ raw: String) {
    let harmless = raw.unicodeScalars.lazy.map { $0.disturbsTheLine ? "\u{FFFD}" : $0 }
    text = String(String.UnicodeScalarView(harmless))
    width = text.reduce(0) { $0 + $1.cells }
  }

  /// As many cells as asked for: filled up with blanks, or cut with an ellipsis.
  func padded(to columns: Int) -> String {
    let fitted = shortened(to: columns)
    return fitted.text + String(repeating: " ", count: max(0, columns - fitted.width))
  }

  /// At most as many cells as asked for, cut at the end.
  func shortened(to columns: Int) -> DisplayText {
    width <= columns ? self : DisplayText(DisplayText.longest(text, columns - 1) + "…")
  }

  /// At most as many cells as asked for, cut at the start, where a path says the least.
  func shortenedAtStart(to columns: Int) -> DisplayText {
    guard width > columns else { return self }
    let tail = DisplayText.longest(String(text.reversed()), columns - 1)
    return DisplayText("…" + String(tail.reversed()))
  }

  private static func longest(_ text: String, _ columns: Int) -> String {
    var width = 0
    return String(
      text.prefix {
        width += $0.cells
        return width <= columns
      })
  }
}

extension Character {
  fileprivate var cells: Int {
    if unicodeScalars.contains(where: { $0.isWide || $0 == "\u{FE0F}" }) { return 2 }
    return unicodeScalars.first?.properties.generalCategory == .nonspacingMark ? 0 : 1
  }
}

extension Unicode.Scalar {
  fileprivate var disturbsTheLine: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0x1FFF: value == 0x061C
    case 0x200D: false
    case 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    case 0x2000...: false
    default: true
    }
  }

  fileprivate var isWide: Bool {
    switch value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
