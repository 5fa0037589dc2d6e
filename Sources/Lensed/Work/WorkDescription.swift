/// One piece of work that a store has under way, as messages name it.
package struct WorkDescription: Sendable, CustomStringConvertible {
  /// What the work is.
  package enum Kind: Sendable, Hashable {
    case dispatch
    case sequence
    case effect
    case event
  }

  /// What the code of the work does.
  package enum Activity: Sendable, Hashable {
    /// It runs, or waits for something that the store does not know.
    case running
    /// It waits for its turn.
    case queued
    /// It sleeps on something that a test controls.
    case asleep
    /// It waits for another work.
    case waiting
  }

  /// What the work is.
  package let kind: Kind
  /// Its name as a part of a sentence: "the effect search".
  package let name: String
  /// Where it was dispatched, unless it is an effect or an event.
  package let site: CallSite?
  /// What its code does.
  package let activity: Activity
  /// The works that it is a part of, the innermost first.
  package let causes: [String]

  /// Its name, what it does, and what set it off.
  package var description: String {
    let cause = causes.prefix(8).map { ", set off by \($0)" }.joined()
    return switch activity {
    case .running: "\(name) runs\(cause)"
    case .queued: "\(name) waits for its turn\(cause)"
    case .asleep: "\(name) sleeps\(cause)"
    case .waiting: "\(name) waits for another work\(cause)"
    }
  }
}
