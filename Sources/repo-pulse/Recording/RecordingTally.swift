import Lensed
import Synchronization

/// What a recording adds up to, so that nothing in it is more than can be counted.
///
/// A recording may come from any source, with a right checksum. While it is read, each number
/// in it is added up; where no sum is too large, neither is any that the reducers or the report make.
final class RecordingTally: Sendable {
  /// A number that is no number of anything, or too large together with others.
  struct Absurdity: Error {}

  /// The sums of the states, the files and the authors' shares, of which a reducer adds two at most.
  private struct Sums {
    var states = 0
    var files = 0
    var shares = 0
  }

  private let sums = Mutex(Sums())

  /// Counts a value that was read.
  func add(_ value: any Decodable) throws(Absurdity) {
    switch value {
    case let state as PulseState:
      if state.activity.clock.count != Activity().clock.count { throw Absurdity() }
      try add(state.numbers, to: \.states, upTo: .max / 4)
    case let action as CommitAction:
      if let hour = action.moment?.hour, !(0..<24).contains(hour) { throw Absurdity() }
    case let action as FileAction:
      if let lines = action.lines { try add(lines.numbers, to: \.files, upTo: .max / 2) }
    case let share as ElementAction<ByteString, AuthorAction>:
      if case .changed(let lines) = share.action {
        try add(lines.numbers, to: \.shares, upTo: .max / 2)
      }
    default: break
    }
  }

  private func add(
    _ numbers: [Int], to sum: WritableKeyPath<Sums, Int>, upTo limit: Int
  ) throws(Absurdity) {
    try sums.withLock { sums throws(Absurdity) in
      for number in numbers {
        guard number >= 0, number <= limit - sums[keyPath: sum] else { throw Absurdity() }
        sums[keyPath: sum] += number
      }
    }
  }
}

extension PulseState {
  fileprivate var numbers: [Int] {
    var numbers = [totals.commits, totals.merges, totals.fileChanges, totals.binaryChanges]
    numbers += [totals.actions, words.forgotten] + totals.lines.numbers
    for author in authors { numbers += [author.commits] + author.lines.numbers }
    for record in files.records { numbers += [record.changes] + record.lines.numbers }
    return numbers + activity.calendar.values + activity.clock + words.counts.values
  }
}

extension Lines {
  fileprivate var numbers: [Int] { [added, deleted] }
}
