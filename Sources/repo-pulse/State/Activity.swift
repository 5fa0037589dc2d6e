import Lensed

/// When the work was done: a feature of its own, which knows nothing of the state it is part of.
struct Activity: Equatable, Sendable, Codable {
  /// Commits per day.
  var calendar: [Day: Int] = [:]
  /// Commits per hour of the day.
  var clock = [Int](repeating: 0, count: 24)

  static let calendarReducer = Reducer { (calendar: inout [Day: Int], action: CommitAction) in
    guard let day = action.moment?.day else { return }
    calendar[day, default: 0] += 1
  }

  static let clockReducer = Reducer { (clock: inout [Int], action: CommitAction) in
    guard let hour = action.moment?.hour, clock.indices.contains(hour) else { return }
    clock[hour] += 1
  }

  static let calendarMutator = Mutator(\Activity.calendar, calendarReducer)
  static let clockMutator = Mutator(\Activity.clock, clockReducer)
}
