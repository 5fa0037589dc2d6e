/// A day on the calendar of the commit's author, so that no machine's time zone matters.
struct Day: Hashable, Comparable, TextCodable {
  /// Days since 1970-01-01.
  let ordinal: Int

  var civil: (year: Int, month: Int, day: Int) {
    let shifted = ordinal + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400
    return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
  }

  /// 0 for a Monday, 6 for a Sunday.
  var weekday: Int { ((ordinal + 3) % 7 + 7) % 7 }

  static func < (left: Day, right: Day) -> Bool { left.ordinal < right.ordinal }

  static func + (day: Day, days: Int) -> Day { Day(ordinal: day.ordinal + days) }

  var description: String {
    let (year, month, day) = civil
    return [(year, 4), (month, 2), (day, 2)].map { "\($0)".leading($1, with: "0") }
      .joined(separator: "-")
  }
}

extension Day {
  /// Nil for what is on no calendar, or needs more than the four digits that a year has.
  init?(year: Int, month: Int, day: Int) {
    guard (0...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    // Years begin in March here, so that a leap day comes last.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    ordinal = era * 146_097 + dayOfEra - 719_468
    if civil.day != day { return nil }
  }

  init?(utf8 text: ArraySlice<UInt8>) {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, let year = parts[0].decimal, let month = parts[1].decimal,
      let day = parts[2].decimal
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// What JSON has as its text.
protocol TextCodable: LosslessStringConvertible, Sendable, Codable {
  init?(utf8 text: ArraySlice<UInt8>)
}

extension TextCodable {
  init?(_ description: String) {
    self.init(utf8: Array(description.utf8)[...])
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "no \(Self.self): \(text)")
    }
    self = value
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
