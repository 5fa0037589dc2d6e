/// What starts the runs of an effect, in terms of the state that it was written for.
enum EffectTrigger<State: Sendable>: Sendable {
  /// Actions; each kind of them may have a run of its own.
  case actions([ActionTrigger<State>])
  /// A value in the state.
  case value(ValueTrigger<State>)

  /// The actions, where it is of actions.
  var actions: [ActionTrigger<State>] {
    if case .actions(let triggers) = self { triggers } else { [] }
  }

  /// The given values that it is computed of.
  var needs: [GivenNeed] {
    if case .value(let trigger) = self { trigger.needs } else { [] }
  }

  /// Whether the state before the commit is needed.
  var needsPrevious: Bool {
    switch self {
    case .actions(let triggers): triggers.contains { $0.needsPrevious }
    case .value(let trigger): trigger.hasCondition
    }
  }
}

/// Actions of one type, or of every type, that start runs.
struct ActionTrigger<State: Sendable>: Sendable {
  /// Returns the input of the run that an action starts; nil when it starts none.
  typealias Filter =
    @Sendable (_ action: any Action, _ change: () -> Change<State>) -> (any Sendable)?

  /// Returns the key of an action.
  typealias Key = @Sendable (_ action: any Action) -> AnyID?

  /// The type; nil for every action.
  let type: (any Action.Type)?
  /// Whether the filter asks a condition of the user's, which is given the change with the state before it: then the
  /// deliverer of the commit calls it, and otherwise it is read in the commit, as lenses are, and asks for no change.
  let needsPrevious: Bool
  /// Without one, each action is the input of a run.
  let filter: Filter?
  /// The key of an action, where the policy counts per key.
  var key: Key?
  /// The run of these actions; nil where it is that of the effect.
  var run: EffectRun<State>?
}

/// A value whose changes start runs.
struct ValueTrigger<State: Sendable>: Sendable {
  /// Is called with each commit in order, and returns the value where it has changed.
  typealias Watch =
    @Sendable (_ change: () -> Change<State>, _ ignoresChange: Bool) -> (any Sendable)?

  /// The part of the state that the value is read from; nil where that cannot be seen.
  let footprint: Footprint?
  /// Whether it has a condition, which is given each change with the state before it.
  let hasCondition: Bool
  let including: EffectTriggers
  /// Whether the changes that it is given need the way back to the store.
  let needsHome: Bool
  /// The given values that it is computed of.
  let needs: [GivenNeed]
  /// Makes the watch of one installation, or of one child.
  let makeWatch: @Sendable (_ initial: State, _ given: GivenValues?) -> Watch
  /// The input of a run for the value as it is, when the effect is installed.
  let first: @Sendable (_ change: () -> Change<State>) -> (any Sendable)?

  /// A trigger of a value, which is `initial` when the effect is installed, and `value` after a commit.
  init<Value: Equatable & Sendable>(
    footprint: Footprint?, including triggers: EffectTriggers, needsHome: Bool = false,
    needs: [GivenNeed] = [],
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)?,
    initial: @escaping @Sendable (_ state: State, _ given: GivenValues?) -> Value,
    value: @escaping @Sendable (_ change: Change<State>) -> Value
  ) {
    (self.footprint, including, self.needsHome) = (footprint, triggers, needsHome)
    hasCondition = condition != nil
    self.needs = needs
    makeWatch = { state, given in
      let last = Locked(initial(state, given))
      return { change, ignoresChange in
        let change = change()
        let value = value(change)
        let former = last.withLock { last in exchange(&last, with: value) }
        guard !ignoresChange, !isSameValue(former, value), condition?(value, change) ?? true else {
          return nil
        }
        return value
      }
    }
    first = { change in
      let change = change()
      let value = value(change)
      return condition?(value, change) ?? true ? value : nil
    }
  }
}

/// The triggers, beside changes by a commit, of an effect `whenChanged:`.
///
/// ```swift
/// Effect<AppState>(
///   whenChanged: \.document, .latest, including: [.installation, .replacement]
/// ) { … }
/// ```
public struct EffectTriggers: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Triggers of their bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The effect is installed, or its child appears, but not in a replay: it runs for the value as it is.
  public static let installation = EffectTriggers(rawValue: 1)
  /// The state was replaced as a whole, by `replaceState`, undo or a jump, and the value differs.
  public static let replacement = EffectTriggers(rawValue: 2)
}
