/// The name of a work in error messages.
enum WorkLabel: Sendable, CustomStringConvertible {
  case dispatch(any Action.Type, CallSite)
  case sequence(CallSite)
  /// What no action made, as a noun.
  case commit(StaticString)
  case effect(String)
  /// Of a feature, whose name is composed when it is asked for.
  case effectOfFeature(String, of: @Sendable () -> String)
  /// Of an asynchronous mutator, whose property is composed when it is asked for.
  case event(any Action.Type, of: @Sendable () -> String)
  /// An attempt of a run, which shares its task.
  case attempt(of: String)
  /// What tells how a run of an effect ended.
  case ending(of: String)
  /// The wait of a caller until a store has settled.
  case settling(CallSite)

  /// The name of the effect, where it is one.
  var effect: String? {
    switch self {
    case .effect(let name), .attempt(let name), .ending(let name): name
    case .effectOfFeature(let name, let feature): "\(name) of `\(feature())`"
    case .dispatch, .sequence, .commit, .event, .settling: nil
    }
  }

  var description: String {
    switch self {
    case .dispatch(let type, let site): "the dispatch of `\(type)` at \(site)"
    case .commit(let noun): "\(noun)"
    case .sequence(let site): "the sequence dispatched at \(site)"
    case .effect(let name), .attempt(let name): "the effect \(name)"
    case .ending(let name): "the end of the effect \(name)"
    case .effectOfFeature(let name, let feature): "the effect \(name) of `\(feature())`"
    case .event(let type, let property): "the event `\(type)` of `\(property())`"
    case .settling(let site): "the wait at \(site) until the store has settled"
    }
  }
}

// MARK: As text

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
