/// What a reducer answers to one type of action, with the types of both erased.
///
/// The state is reached by place, so that a case for a part becomes a case for the whole by adding a
/// byte offset.
@usableFromInline
struct ReducerCase: Sendable {
  /// Which actions the case answers.
  @usableFromInline
  enum Trigger: Sendable {
    /// One type, exactly. The second place given to `run` is that of an action of this type.
    case type(any Action.Type)
    /// Every action. The second place given to `run` is that of an `any Action`.
    case every
  }

  /// Runs the reducer on the state and the action at two places.
  @usableFromInline
  enum Run: Sendable {
    @usableFromInline
    typealias Sure = @Sendable (_ state: Place, _ action: Place) -> Void
    @usableFromInline
    typealias Unsure = @Sendable (_ state: Place, _ action: Place) -> Bool

    /// The reducer always runs. Nothing is left to do after it, so that it is jumped to, not called.
    case always(Sure)
    /// It gives whether the reducer ran: a nil, a missing key and a prism that does not match are no
    /// run, and wake nobody.
    case perhaps(Unsure)

    @inlinable
    @inline(__always)
    func callAsFunction(_ state: Place, _ action: Place) -> Bool {
      switch self {
      case .always(let run):
        run(state, action)
        return true
      case .perhaps(let run):
        return run(state, action)
      }
    }

    /// The same for an action that lies elsewhere.
    func reading(_ find: @escaping @Sendable (_ action: Place) -> Place) -> Run {
      switch self {
      case .always(let run): .always { state, action in run(state, find(action)) }
      case .perhaps(let run): .perhaps { state, action in run(state, find(action)) }
      }
    }
  }

  /// Runs the reducer on one action after another that lie side by side.
  @usableFromInline
  typealias RunAll = @Sendable (_ state: Place, _ first: Place, _ count: Int) -> Void

  @usableFromInline
  let trigger: Trigger
  /// Where the state of `run` lies, in bytes from the start of the state of this case.
  @usableFromInline
  let offset: Int
  @usableFromInline
  let run: Run
  /// The same for many actions at once, where the reducer always runs and touches nothing but its
  /// state: the others need not take turns with it.
  let runAll: RunAll?
  /// Why no store can take the case.
  @usableFromInline
  let fault: ReducerFault?

  @usableFromInline
  init(
    _ trigger: Trigger, offset: Int = 0, fault: ReducerFault? = nil, runAll: RunAll? = nil,
    run: Run
  ) {
    self.trigger = trigger
    self.offset = offset
    self.run = run
    self.runAll = runAll
    self.fault = fault ?? ReducerFault(routing: trigger)
  }

  /// Whether the case answers actions of a type.
  func answers(_ type: any Action.Type) -> Bool {
    switch trigger {
    case .every: true
    case .type(let own): own == type
    }
  }

  /// A case of the same trigger that may not run.
  @usableFromInline
  init(
    _ trigger: Trigger, offset: Int = 0, fault: ReducerFault? = nil,
    perhaps run: @escaping Run.Unsure
  ) {
    self.init(trigger, offset: offset, fault: fault, run: .perhaps(run))
  }

  /// A case that hands the state over through `access`, if there is one.
  @usableFromInline
  func through(_ access: @escaping @Sendable (Place, (Place) -> Bool) -> Bool) -> ReducerCase {
    let (run, offset) = (run, offset)
    return ReducerCase(
      trigger, fault: fault,
      perhaps: { place, action in
        access(place) { run($0.advanced(by: offset), action) }
      })
  }

  /// The same case, which no store can take.
  func refused(because fault: ReducerFault) -> ReducerCase {
    ReducerCase(trigger, offset: offset, fault: fault, runAll: runAll, run: run)
  }

  /// A case of the whole, `distance` bytes before the state of this one.
  @usableFromInline
  func moved(by distance: Int) -> ReducerCase {
    ReducerCase(trigger, offset: offset + distance, fault: fault, runAll: runAll, run: run)
  }
}

/// Why a reducer can never be registered.
@usableFromInline
enum ReducerFault: Sendable, Hashable {
  /// It reduces a list, whose members are what is routed.
  case list(action: String)
  /// It sees every action, so nothing says which element an action is for.
  case everyActionOverElements
  /// It was lifted by a prism to a type of action that it does not handle.
  case prism(wide: String, narrow: String)

  init?(routing trigger: ReducerCase.Trigger) {
    guard case .type(let type) = trigger, Routability(of: type) == .list else { return nil }
    self = .list(action: "\(type)")
  }
}

/// Whether actions of a type are routed by it.
enum Routability: Sendable {
  case routed
  /// They stand for others, which are routed by their own types.
  case list
  /// Their exact type may be that of a subclass.
  case object

  init(of type: any Action.Type) {
    self =
      if type is any CompositeAction.Type || type is any AsynchronousAction.Type {
        .list
      } else if type is AnyObject.Type {
        .object
      } else {
        .routed
      }
  }
}
