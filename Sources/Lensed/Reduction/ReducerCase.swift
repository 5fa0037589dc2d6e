/// What a reducer answers to one type of action, with the types of both erased.
///
/// The state is reached by place, so that a case for a part becomes a case for the whole by adding a
/// byte offset.
@usableFromInline
struct ReducerCase: Sendable {
  /// Which actions the case answers, and how.
  @usableFromInline
  enum Body: Sendable {
    /// Those of one type, exactly. The second place given to the function is that of one of them.
    case one(any Action.Type, Run)
    /// Every action, handed over as it is: there is no place of an `any Action`, so that nobody can
    /// read an action as the container that it came in, or a container as an action.
    case every(EveryRun)
  }

  /// Runs the reducer of every action.
  @usableFromInline
  struct EveryRun: Sendable {
    /// Whether the reducer always runs.
    let alwaysRuns: Bool
    /// Gives whether the reducer ran.
    let run: @Sendable (_ state: StateAddress, _ action: any Action) -> Bool

    @usableFromInline
    init(
      alwaysRuns: Bool,
      _ run: @escaping @Sendable (_ state: StateAddress, _ action: any Action) -> Bool
    ) {
      self.alwaysRuns = alwaysRuns
      self.run = run
    }

    /// The same for actions of one type.
    func run<A: Action>(for type: A.Type) -> Run {
      let run = run
      if alwaysRuns { return .always { state, action in _ = run(state, action.read(A.self)) } }
      return .perhaps { state, action in run(state, action.read(A.self)) }
    }
  }

  /// Runs the reducer on the state and the action at two places.
  @usableFromInline
  enum Run: Sendable {
    @usableFromInline
    typealias Sure = @Sendable (_ state: StateAddress, _ action: StateAddress) -> Void
    @usableFromInline
    typealias Unsure = @Sendable (_ state: StateAddress, _ action: StateAddress) -> Bool

    /// The reducer always runs. Nothing is left to do after it, so that it is jumped to, not called.
    case always(Sure)
    /// It gives whether the reducer ran: a nil, a missing key and a prism that does not match are no
    /// run, and wake nobody.
    case perhaps(Unsure)

    @inlinable
    @inline(__always)
    func callAsFunction(_ state: StateAddress, _ action: StateAddress) -> Bool {
      switch self {
      case .always(let run):
        run(state, action)
        return true
      case .perhaps(let run):
        return run(state, action)
      }
    }

    /// The same for an action that lies elsewhere.
    func reading(_ find: @escaping @Sendable (_ action: StateAddress) -> StateAddress) -> Run {
      switch self {
      case .always(let run): .always { state, action in run(state, find(action)) }
      case .perhaps(let run): .perhaps { state, action in run(state, find(action)) }
      }
    }
  }

  /// Runs the reducer on one action after another that lie side by side.
  @usableFromInline
  typealias RunAll = @Sendable (_ state: StateAddress, _ first: StateAddress, _ count: Int) -> Void

  @usableFromInline
  let body: Body
  /// Where the state of the function lies, in bytes from the start of the state of this case.
  @usableFromInline
  let offset: Int
  /// The same for many actions at once, where the reducer always runs and touches nothing but its
  /// state: the others need not take turns with it.
  let runAll: RunAll?
  /// Why no store can take the case.
  @usableFromInline
  let fault: ReducerFault?

  @usableFromInline
  init(_ body: Body, offset: Int = 0, fault: ReducerFault? = nil, runAll: RunAll? = nil) {
    self.body = body
    self.offset = offset
    self.runAll = runAll
    self.fault = fault ?? ReducerFault(routing: body)
  }

  /// A case of one type that may not run.
  @usableFromInline
  init(
    _ type: any Action.Type, offset: Int = 0, fault: ReducerFault? = nil,
    perhaps run: @escaping Run.Unsure
  ) {
    self.init(.one(type, .perhaps(run)), offset: offset, fault: fault)
  }

  /// The one type of action that the case answers; nil when it answers all.
  var type: (any Action.Type)? {
    if case .one(let type, _) = body { type } else { nil }
  }

  /// Whether the case answers actions of a type.
  // Inlined into a loop, the switch crashes the optimiser of Swift 6.3.1.
  @inline(never)
  func answers(_ other: any Action.Type) -> Bool {
    type.map { $0 == other } ?? true
  }

  /// How it answers actions of a type that it answers.
  func run(for type: any Action.Type) -> Run {
    switch body {
    case .one(_, let run): run
    case .every(let every): every.run(for: type)
    }
  }

  /// A case that hands the state over through `access`, if there is one.
  @usableFromInline
  func through(
    alwaysRuns: Bool = false,
    _ access: @escaping @Sendable (StateAddress, (StateAddress) -> Bool) -> Bool
  ) -> ReducerCase {
    let offset = offset
    switch body {
    case .one(let type, let run):
      return ReducerCase(
        type, fault: fault,
        perhaps: { place, action in access(place) { run($0.advanced(by: offset), action) } })
    case .every(let every):
      let run = EveryRun(alwaysRuns: alwaysRuns && every.alwaysRuns) { place, action in
        access(place) { every.run($0.advanced(by: offset), action) }
      }
      return ReducerCase(.every(run), fault: fault)
    }
  }

  /// The same case, which no store can take.
  func refused(because fault: ReducerFault) -> ReducerCase {
    ReducerCase(body, offset: offset, fault: fault, runAll: runAll)
  }

  /// A case of the whole, `distance` bytes before the state of this one.
  @usableFromInline
  func moved(by distance: Int) -> ReducerCase {
    ReducerCase(body, offset: offset + distance, fault: fault, runAll: runAll)
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

  init?(routing body: ReducerCase.Body) {
    guard case .one(let type, _) = body, Routability(of: type) == .list else { return nil }
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
