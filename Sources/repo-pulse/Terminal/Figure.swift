/// Numbers the way a person reads them.
enum Figure {
  /// `1234567` as `1,234,567`, in every locale.
  static func count(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) {
        grouped.append(",")
      }
      grouped.append(digit)
    }
    return (number < 0 ? "-" : "") + grouped
  }

  /// `1 commit`, `2 commits`.
  static func count(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A bar that is full for the largest of a group, in eighths of a cell.
  static func bar(_ number: Int, of largest: Int, columns: Int) -> String {
    guard number > 0, largest > 0 else { return "" }
    let eighths = max(1, number.scaled(by: columns * 8, over: largest))
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }

  /// One cell of a row of columns.
  static func column(_ number: Int, of largest: Int) -> String {
    guard number > 0, largest > 0 else { return "·" }
    return ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][max(0, number.scaled(by: 8, over: largest) - 1)]
  }

  /// `0.42 s`, `12.3 s`, `3 min 4 s`.
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds >= 100 { return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s" }
    return "\(decimal(seconds, places: seconds < 10 ? 2 : 1)) s"
  }

  static func megabytes(_ bytes: Int) -> String {
    "\(decimal(Double(bytes) / 1_048_576, places: 1)) MB"
  }

  static func rate(_ number: Int, in duration: Duration) -> Int {
    let rate = Double(number) / max(duration / .seconds(1), 0.000_001)
    return Int(exactly: rate.rounded(.down)) ?? .max
  }

  private static func decimal(_ number: Double, places: Int) -> String {
    let scale = places == 1 ? 10 : 100
    let scaled = Int((number * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(scaled / scale).\(zeros)\(fraction)"
  }
}

extension Int {
  fileprivate func scaled(by factor: Int, over whole: Int) -> Int {
    Int((Double(self) * Double(factor) / Double(whole)).rounded())
  }
}
