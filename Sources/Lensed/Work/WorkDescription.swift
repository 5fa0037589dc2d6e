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
  case ending(of: String, by: RunEnder)
  /// The wait of a caller until a store has settled.
  case settling(CallSite)

  /// The name of the effect, where it is one.
  var effect: String? {
    switch self {
    case .effect(let name), .attempt(let name), .ending(let name, _): name
    case .effectOfFeature(let name, let feature): "\(name) of \(code: feature())"
    case .dispatch, .sequence, .commit, .event, .settling: nil
    }
  }

  /// The name of the effect, or what else it is.
  var name: String { effect ?? "\(self)" }

  var description: String {
    switch self {
    case .dispatch(let type, let site): "the dispatch of \(code: type) at \(site)"
    case .commit(let noun): "\(noun)"
    case .sequence(let site): "the sequence dispatched at \(site)"
    case .effect(let name), .attempt(let name): "the effect \(name)"
    case .ending(let name, _): "the end of the effect \(name)"
    case .effectOfFeature(let name, let feature): "the effect \(name) of \(code: feature())"
    case .event(let type, let property): "the event \(code: type) of \(code: property())"
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

// MARK: Activity

extension WorkNode {
  /// What the code of this work does; nil if only its children are left of it, or nothing, and for an attempt: its
  /// code is that of its run.
  var activity: WorkDescription.Activity? {
    if case .attempt = label { return nil }
    let (hasOwnCode, sleeperCount) = state.withLock {
      ($0.machine.hasOwnCode, $0.sleeperCount)
    }
    if !hasOwnCode { return nil }
    if sleeperCount > 0 { return .asleep }
    if let queue, !queue.blockers(of: self).isEmpty { return .queued }
    return WaitGraph.isWaiting(self) ? .waiting : .running
  }

  /// Whether the code of this work goes on: it neither returned nor was cancelled.
  var hasOwnCode: Bool { state.withLock { $0.machine.hasOwnCode } }

  /// Describes the works among these and their children that have code of their own.
  static func descriptions(of works: [WorkNode]) -> [WorkDescription] {
    var found: [WorkDescription] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = works.reversed().map { (work: $0, causes: [String]()) }
    while let (work, causes) = pending.popLast() {
      guard seen.insert(ObjectIdentifier(work)).inserted else { continue }
      if let description = work.description(causes) { found.append(description) }
      let own = ["\(work.label)"] + causes
      pending += work.children.reversed().map { ($0, own) }
    }
    return found
  }

  private func description(_ causes: [String]) -> WorkDescription? {
    guard let activity else { return nil }
    let label = waitLabel
    let (kind, site): (WorkDescription.Kind, CallSite?) =
      switch label {
      case .dispatch(_, let site), .settling(let site): (.dispatch, site)
      case .commit: (.dispatch, nil)
      case .sequence(let site): (.sequence, site)
      case .effect, .effectOfFeature, .attempt, .ending: (.effect, nil)
      case .event: (.event, nil)
      }
    var causes = causes
    // A dispatch that is its own job goes by the name of the effect, and is its cause.
    if case .dispatch = self.label, kind == .effect { causes.insert("\(self.label)", at: 0) }
    return WorkDescription(
      kind: kind, name: "\(label)", site: site, activity: activity, causes: causes)
  }
}
