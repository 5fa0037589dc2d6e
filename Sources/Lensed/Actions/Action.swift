/// A value that says what happened, dispatched to a store and handled by reducers.
///
/// ```swift
/// enum CounterAction: Action { case increase(Int), reset }
/// ```
///
/// Actions are routed by their exact type. One enum per feature is the natural grain: a store then
/// runs the reducers of that feature alone, and notifies the observers of their sub-states alone.
/// Actions are value types; registering a reducer of a class type traps.
public protocol Action: Sendable {
  /// Lends the memory of the action, as a batch of one, for the length of a call. Not for you to implement.
  ///
  /// An `any Action` reaches its reducers through it: it is compiled where the type of the action is known, so
  /// nothing is looked up at run time.
  func _lend(to body: (ActionBatch) -> Void)
}

extension Action {
  /// Lends the memory of the action, as a batch of one, for the length of a call.
  @inlinable
  public func _lend(to body: (ActionBatch) -> Void) { ActionBatch.lending(self, body) }
}

// An action is lent as a batch, and a batch is of actions: the two stand together.

/// Actions of one type that lie side by side in memory, on their way to a store.
///
/// `dispatch` makes it, and lends the memory of the actions for the length of one call of `send`. It is handed on,
/// and nothing else is to be done with it.
public struct ActionBatch {
  @usableFromInline
  let type: any Action.Type
  @usableFromInline
  let first: StateAddress
  @usableFromInline
  let count: Int
  @usableFromInline
  let stride: Int
  /// Whether the actions were dispatched as an array.
  @usableFromInline
  let isArray: Bool

  @inlinable
  @inline(__always)
  init(
    _ type: any Action.Type, _ first: StateAddress, count: Int = 1, stride: Int = 0,
    isArray: Bool = false
  ) {
    self.type = type
    self.first = first
    self.count = count
    self.stride = stride
    self.isArray = isArray
  }

  @inlinable
  @inline(__always)
  static func lending<A: Action, Result>(_ action: A, _ body: (ActionBatch) -> Result) -> Result {
    StateAddress.reading(action, as: A.self) { body(ActionBatch(A.self, $0)) }
  }

  /// Lends an array of actions; nil, if it is empty.
  @inlinable
  @inline(__always)
  static func lending<A: Action, Result>(
    array actions: [A], _ body: (ActionBatch) -> Result
  ) -> Result? {
    if actions.isEmpty { return nil }
    return StateAddress.reading(elementsOf: actions) { address in
      body(
        ActionBatch(
          A.self, address, count: actions.count, stride: MemoryLayout<A>.stride, isArray: true))
    }
  }
}

extension Action {
  /// The type of the action, which is a value: `type(of:)` of an `any Action` looks twice, in case it is an object.
  @inline(__always)
  var exactType: any Action.Type { Self.self }
}

extension [any Action] {
  /// Lends the actions in runs of one type, in order and in place: a copy of one costs as much as its reducer.
  ///
  /// What a closure or an autoclosure captures of an action is a copy.
  func lendRuns(_ body: (ActionRun) -> Void) {
    let isLaidOutAsKnown = InlineExistential.isLaidOutAsKnown
    StateAddress.reading(elementsOf: self) { start in
      func type(_ index: Int) -> any Action.Type {
        let action = start.advanced(by: index * ActionRun.stride)
        // To ask the action itself is a call, which costs more than the rest of the loop.
        return isLaidOutAsKnown
          ? action.advanced(by: InlineExistential.typeOffset).read((any Action.Type).self)
          : action.lend((any Action).self) { $0.exactType }
      }
      var end = 0
      while end < count {
        let (first, runType) = (end, type(end))
        repeat { end += 1 } while end < count && type(end) == runType
        body(
          ActionRun(
            type: runType, first: start.advanced(by: first * ActionRun.stride), count: end - first))
      }
    }
  }
}

/// Actions of one type that follow each other in a list.
struct ActionRun {
  let type: any Action.Type
  /// The address of the first `any Action`.
  let first: StateAddress
  let count: Int

  static let stride = MemoryLayout<any Action>.stride

  func lendEach(_ body: (_ action: StateAddress) -> Void) {
    for number in 0..<count {
      first.advanced(by: number * Self.stride).lend((any Action).self) { action in
        action._lend { body($0.first) }
      }
    }
  }
}

/// An action that stands for several others, in order; those are routed by their types, and it never is by its own.
protocol CompositeAction: Action {
  var members: [any Action] { get }
}

/// An action whose members arrive over time.
protocol AsynchronousAction: Action {
  /// Hands each member to `sink` as it comes; throws the error of the sequence, or of `sink`, which makes it stop.
  func feed(_ sink: some ActionSink) async throws
}

/// Receives the members of an asynchronous action.
@usableFromInline
protocol ActionSink: Sendable {
  /// Applies one action completely; throws if the sequence is to stop: it was cancelled, or the store was released.
  func receive(_ action: some Action) async throws
}

/// An array of actions is an action: its members in order, as one commit.
extension Array: Action where Element: Action {}

extension Array: CompositeAction where Element: Action {
  var members: [any Action] { self }
}

// MARK: Members of a batch

extension ActionBatch {
  /// The same bytes, as actions for one of several instances: a tagged action has one layout with the action in it.
  func tagged<Tag>(_ tag: Tag.Type) -> ActionBatch {
    ActionBatch(type.tagged(tag), first, count: count, stride: stride, isArray: isArray)
  }

  /// The action as it was dispatched: an array as an array.
  func boxed() -> any Action {
    func box<A: Action>(_ opened: A.Type) -> any Action {
      isArray ? actions(as: A.self) : first.read(A.self)
    }
    return _openExistential(type, do: box)
  }

  /// The actions in it, whose type is `type`.
  func actions<A: Action>(as type: A.Type) -> [A] {
    (0..<count).map { first.advanced(by: $0 * stride).read(A.self) }
  }

  func members() -> [any Action] { (0..<count).map(member) }

  func member(_ number: Int) -> any Action {
    func box<A: Action>(_ opened: A.Type) -> any Action {
      first.advanced(by: number * stride).read(A.self)
    }
    return _openExistential(type, do: box)
  }

  /// The list that was dispatched, if it is one that holds no other list.
  var flatList: ActionList? {
    guard type == ActionList.self, !isArray else { return nil }
    let list = first.read(ActionList.self)
    return list.isFlat && !list.actions.isEmpty ? list : nil
  }
}

// MARK: Layers

extension Action {
  /// The action inside of the outermost tag, or of the outermost id of an element; nil where there is none.
  private var inner: (any Action)? {
    (self as? any AnyTagged)?.untagged ?? (self as? any AnyElementAction)?.unaddressed
  }

  /// This action, and those inside of its tags and ids of elements, from the outside in.
  var layers: UnfoldFirstSequence<any Action> { sequence(first: self) { $0.inner } }
}
