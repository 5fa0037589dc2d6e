import Foundation

/// The text of figures, in tables and pictures.
enum Wording {
  static func nanoseconds(_ figure: Double) -> String {
    switch figure {
    case ..<10: String(format: "%.2f", figure)
    case ..<1_000: String(format: "%.1f", figure)
    default: grouped(figure)
    }
  }

  static func ratio(_ figure: Double) -> String {
    String(format: figure < 0.1 ? "%.3fx" : "%.2fx", figure)
  }

  static func bytes(_ count: Int) -> String { "\(grouped(Double(count))) B" }

  static func allocations(_ perAction: Double?) -> String {
    guard let perAction else { return "" }
    if perAction == 0 { return "0" }
    if perAction < 0.01 { return "<0.01" }
    return String(format: "%.2f", perAction)
  }

  static func perSecond(_ figure: Double) -> String {
    switch figure {
    case 1e6...: String(format: "%.1f million/s", figure / 1e6)
    default: "\(grouped(figure))/s"
    }
  }

  static func perSecond(_ spread: Spread) -> String {
    "\(perSecond(spread.low)) to \(perSecond(spread.high))"
  }

  /// A whole number with a comma after each three digits.
  static func grouped(_ figure: Double) -> String {
    let digits = String(Int(figure.rounded()))
    var groups = ""
    for (place, digit) in digits.reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3), digit != "-" { groups.append(",") }
      groups.append(digit)
    }
    return String(groups.reversed())
  }

  static func verdict(_ verdict: Verdict) -> String {
    switch verdict {
    case .aim: "aim reached"
    case .met: "ok"
    case .tolerated: "in head-room"
    case .missed: "MISSED"
    case .allocates: "ALLOCATES"
    case .noted: ""
    }
  }
}
