/// A day on the calendar of the commit's author, so that no machine's time zone matters.
struct Day: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  let ordinal: Int

  init(ordinal: Int) {
    self.ordinal = ordinal
  }

  /// Nil for what is on no calendar, or needs more than the four digits that a year has.
  init?(year: Int, month: Int, day: Int) {
    guard (0...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    ordinal = era * 146_097 + dayOfEra - 719_468
    if civil.day != day { return nil }
  }

  var civil: (year: Int, month: Int, day: Int) {
    let shifted = ordinal + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// 0 for a Monday, 6 for a Sunday.
  var weekday: Int {
    let days = (ordinal + 3) % 7
    return days < 0 ? days + 7 : days
  }

  static func < (left: Day, right: Day) -> Bool { left.ordinal < right.ordinal }

  static func + (day: Day, days: Int) -> Day { Day(ordinal: day.ordinal + days) }
}

extension Day: CustomStringConvertible, LosslessStringConvertible {
  var description: String {
    let (year, month, day) = civil
    let digits = String(year)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return "\(padded)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
  }

  init?(_ description: String) {
    let parts = description.utf8.split(separator: UInt8(ascii: "-")).map { ArraySlice($0).decimal }
    guard description.utf8.count(where: { $0 == UInt8(ascii: "-") }) == 2, parts.count == 3,
      let year = parts[0], let month = parts[1], let day = parts[2]
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

extension Day: Codable, CodingKeyRepresentable {
  /// A day as the key of a JSON object.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var codingKey: any CodingKey { Key(stringValue: description) }

  init?(codingKey: some CodingKey) {
    self.init(codingKey.stringValue)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = Day(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day: \(text)")
    }
    self = day
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
