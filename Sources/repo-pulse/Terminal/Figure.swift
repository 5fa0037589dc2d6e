import Foundation

/// Numbers the way a person reads them.
enum Figure {
  /// `1234567` as `1,234,567`, in every locale.
  static func count(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let groups = stride(from: digits.count, to: 0, by: -3).map {
      String(digits[max(0, $0 - 3)..<$0])
    }
    return (number < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// `1 commit`, `2 commits`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A bar that is full for the largest of a group, in eighths of a cell.
  static func bar(_ number: Int, of largest: Int, columns: Int) -> String {
    guard number > 0, largest > 0 else { return "" }
    let eighths = max(1, scaled(number, by: columns * 8, over: largest))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }

  /// One cell of a row of columns.
  static func column(_ number: Int, of largest: Int) -> String {
    guard number > 0, largest > 0 else { return "·" }
    return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][
      max(0, scaled(number, by: 8, over: largest) - 1)]
  }

  private static func scaled(_ number: Int, by factor: Int, over whole: Int) -> Int {
    Int((Double(number) * Double(factor) / Double(whole)).rounded())
  }

  /// `0.42 s`, `12.3 s`, `3 min 4 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds >= 100 { return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s" }
    return String(format: seconds < 10 ? "%.2f s" : "%.1f s", seconds)
  }

  static func megabytes(_ bytes: Int) -> String {
    String(format: "%.1f MB", Double(bytes) / 1_048_576)
  }

  static func rate(_ number: Int, in duration: Duration) -> Int {
    let rate = Double(number) / max(duration / .seconds(1), 0.000_001)
    return Int(exactly: rate.rounded(.down)) ?? .max
  }
}
