import Foundation

/// An SVG picture.
///
/// Colours are style classes, so that the style sheet can have a light and a dark value for each.
struct Drawing {
  let width: Double
  let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  enum Anchor: String {
    case start
    case middle
    case end
  }

  /// How wide a text is at most in the typefaces of the style sheet; a little more than in most of them.
  static func width(of text: String, style: String) -> Double {
    let size = Palette.sizes.first { style.hasPrefix($0.style) }?.size ?? 13
    return Double(text.count) * size * 0.58
  }

  mutating func text(
    _ text: String, x: Double, y: Double, style: String, anchor: Anchor = .start
  ) {
    elements.append(
      "<text x=\"\(n(x))\" y=\"\(n(y))\" class=\"\(style)\" "
        + "text-anchor=\"\(anchor.rawValue)\">\(escaped(text))</text>"
    )
  }

  mutating func box(
    x: Double, y: Double, width: Double, height: Double, corner: Double = 0, style: String
  ) {
    elements.append(
      "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\" "
        + "rx=\"\(n(corner))\" class=\"\(style)\"/>"
    )
  }

  mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, style: String) {
    elements.append(
      "<line x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\" class=\"\(style)\"/>"
    )
  }

  mutating func path(_ points: [(x: Double, y: Double)], style: String) {
    let list = points.map { "\(n($0.x)),\(n($0.y))" }.joined(separator: " ")
    elements.append("<polyline points=\"\(list)\" class=\"\(style)\"/>")
  }

  mutating func dot(x: Double, y: Double, radius: Double, style: String) {
    elements.append(
      "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" class=\"\(style)\"/>"
    )
  }

  /// Returns the picture as a document.
  func document(title: String, styleSheet: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(width)) \(n(height))" \
    width="\(n(width))" height="\(n(height))" role="img">
    <title>\(escaped(title))</title>
    <style>
    \(styleSheet)
    </style>
    <rect width="\(n(width))" height="\(n(height))" class="page"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private func n(_ number: Double) -> String { String(format: "%.1f", number) }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
