/// One of several that take their steps in any order.
protocol ScheduledActor: AnyObject {
  /// Whether there is nothing more to do.
  var isDone: Bool { get }
  /// Whether the next step has to wait for somebody else's.
  var isBlocked: Bool { get }
  /// Takes the next step, which nobody else's comes into.
  func step()
}

/// Plays a small case in every order in which its actors can take their steps.
///
/// What happens cannot be undone, so each schedule is played from the start.
struct ScheduleExplorer {
  /// A case, ready to be played once.
  struct Play {
    let actors: [any ScheduledActor]
    /// What is wrong when all are done; nil when nothing is.
    let verdict: () -> String?
  }

  private struct Choice {
    var taken: Int
    let count: Int
  }

  /// How often an actor that could go on may be interrupted in one schedule.
  var interruptions = Int.max
  /// How many schedules were played.
  private(set) var schedules = 0
  private var choices: [Choice] = []

  init(interruptions: Int = .max) {
    self.interruptions = interruptions
  }

  /// Plays all schedules.
  ///
  /// - Returns: The first schedule that goes wrong, by the numbers of its actors, and how.
  mutating func explore(_ makePlay: () -> Play) -> String? {
    repeat {
      if let failure = play(makePlay()) { return failure }
      schedules += 1
    } while advance()
    return nil
  }

  private mutating func play(_ play: Play) -> String? {
    var (taken, last, left) = ([Int](), -1, interruptions)
    while true {
      var ready = play.actors.indices.filter {
        !play.actors[$0].isDone && !play.actors[$0].isBlocked
      }
      if ready.isEmpty { break }
      let mayGoOn = ready.contains(last)
      if mayGoOn && left == 0 { ready = [last] }
      if taken.count == choices.count { choices.append(Choice(taken: 0, count: ready.count)) }
      let next = ready[choices[taken.count].taken]
      if mayGoOn && next != last { left -= 1 }
      play.actors[next].step()
      taken.append(next)
      last = next
    }
    let stuck = play.actors.indices.filter { !play.actors[$0].isDone }
    if !stuck.isEmpty { return "\(stuck) wait for ever after \(taken)" }
    return play.verdict().map { "\($0) after \(taken)" }
  }

  /// Goes on to the next schedule; false when there is none.
  private mutating func advance() -> Bool {
    while let last = choices.last, last.taken + 1 == last.count { choices.removeLast() }
    if choices.isEmpty { return false }
    choices[choices.count - 1].taken += 1
    return true
  }
}
