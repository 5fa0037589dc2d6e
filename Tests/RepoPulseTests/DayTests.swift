import Foundation
import Testing

@testable import repo_pulse

@Suite struct DayTests {
  @Test func `every day from 1600 to 2400 is the day after the day before`() throws {
    var day = try #require(Day(year: 1600, month: 1, day: 1))
    let end = try #require(Day(year: 2400, month: 12, day: 31))
    var weekday = day.weekday
    while day < end {
      let next = day + 1
      let (year, month, date) = next.civil
      try #require(Day(year: year, month: month, day: date) == next)
      let (_, lastMonth, lastDate) = day.civil
      try #require(date == lastDate + 1 || (date == 1 && month == lastMonth % 12 + 1))
      try #require(next.weekday == (weekday + 1) % 7)
      (day, weekday) = (next, next.weekday)
    }
  }

  @Test func `the first day is a Thursday, and a leap day a day`() throws {
    #expect(Day(ordinal: 0).description == "1970-01-01")
    #expect(Day(ordinal: 0).weekday == 3)
    #expect(try #require(Day("2024-02-29")) + 1 == Day("2024-03-01"))
    #expect(try #require(Day("1969-12-31")).ordinal == -1)
  }

  @Test(arguments: ["2024-00-01", "2024-13-01", "2024-01-32", "2024-01", "today", ""])
  func `a text that is no day gives none`(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func `a day survives JSON`() throws {
    let day = try #require(Day("0987-06-05"))
    let data = try JSONEncoder().encode([day])
    #expect(String(decoding: data, as: UTF8.self) == #"["0987-06-05"]"#)
    #expect(try JSONDecoder().decode([Day].self, from: data) == [day])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Day].self, from: Data(#"["x"]"#.utf8))
    }
  }
}
