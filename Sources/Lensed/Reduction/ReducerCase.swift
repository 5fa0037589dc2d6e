/// The reduction of one type of action, with the types of state and action erased.
///
/// The state is given by its address: a case for a part becomes one for the whole by adding a byte offset.
@usableFromInline
struct ReducerCase: Sendable {
  @usableFromInline
  enum Body: Sendable {
    /// Those of exactly one type. The second address given to the function is that of one of them.
    case one(any Action.Type, Run)
    /// Every action, as an `any Action`: an address would not say whether it is that of the action or of its container.
    case every(EveryRun)
  }

  /// Runs the reducer of every action.
  @usableFromInline
  struct EveryRun: Sendable {
    let alwaysRuns: Bool
    let run: @Sendable (_ state: StateAddress, _ action: any Action) -> Bool

    @usableFromInline
    init(
      alwaysRuns: Bool,
      _ run: @escaping @Sendable (_ state: StateAddress, _ action: any Action) -> Bool
    ) {
      self.alwaysRuns = alwaysRuns
      self.run = run
    }

    func run<A: Action>(for type: A.Type) -> Run {
      let run = run
      if alwaysRuns { return .always { state, action in _ = run(state, action.read(A.self)) } }
      // What is of every action is not meant for this one.
      return .perhaps { state, action in run(state, action.read(A.self)) ? .ran : .notMeant }
    }
  }

  /// Runs the reducer on the state and the action at two addresses.
  @usableFromInline
  enum Run: Sendable {
    @usableFromInline
    typealias Sure = @Sendable (_ state: StateAddress, _ action: StateAddress) -> Void
    @usableFromInline
    typealias Unsure = @Sendable (_ state: StateAddress, _ action: StateAddress) -> RunOutcome

    /// The reducer always runs. It is the last thing the caller does, so that it can be a tail call.
    case always(Sure)
    /// The reducer might not run: a nil, a missing key and a prism that does not match notify no observer.
    case perhaps(Unsure)

    @inline(__always)
    func callAsFunction(_ state: StateAddress, _ action: StateAddress) -> RunOutcome {
      switch self {
      case .always(let run):
        run(state, action)
        return .ran
      case .perhaps(let run):
        return run(state, action)
      }
    }

    /// The run for actions that hold those of this run so many bytes behind their start.
    func behind(_ distance: Int) -> Run {
      switch self {
      case .always(let run): .always { run($0, $1.advanced(by: distance)) }
      case .perhaps(let run): .perhaps { run($0, $1.advanced(by: distance)) }
      }
    }
  }

  /// Runs the reducer on actions that lie `stride` bytes apart, in order.
  @usableFromInline
  typealias RunAll =
    @Sendable (_ state: StateAddress, _ first: StateAddress, _ count: Int, _ stride: Int) -> Void

  @usableFromInline
  private(set) var body: Body
  /// The offset of the function's state from the start of the state of this case, in bytes.
  @usableFromInline
  private(set) var offset = 0
  /// The run for many actions at once, where the reducer always runs and touches its own state alone.
  private(set) var runAll: RunAll?
  /// The reason why no store can register the case; nil when it can.
  private(set) var fault: ReducerFault?
  /// How many collections deep the action names the elements: in these, it touches nothing else.
  var elementDepth = ElementDepth.none
  /// Which element the actions are for, where the case reduces one element of a collection at `offset`.
  private(set) var element: ElementIdentity?
  /// Makes what a route runs instead, where the reducer reads a part that is not its own.
  var reading: (@Sendable () -> CaseReading)?
  /// The value that it reads and that nothing gives it yet; nil for all others.
  var need: GivenNeed?
  /// The way to the child that an action is for; nil where the reducer needs no child.
  private(set) var child: ChildWay?
  /// Where it is written, if not where its mutator is.
  var site: CallSite?

  @usableFromInline
  init(_ body: Body, runAll: RunAll? = nil) {
    (self.body, self.runAll, fault) = (body, runAll, ReducerFault(routing: body))
  }

  /// The one type of action that the case handles; nil when it handles all.
  var type: (any Action.Type)? {
    if case .one(let type, _) = body { type } else { nil }
  }

  // Inlined into a loop, the switch crashes the optimiser of Swift 6.3.1.
  @inline(never)
  func handles(_ other: any Action.Type) -> Bool { type.map { $0 == other } ?? true }

  func run(for type: any Action.Type) -> Run {
    switch body {
    case .one(_, let run): run
    case .every(let every): every.run(for: type)
    }
  }

  // MARK: Lifts

  /// This case with another body; `change` makes the same of what it reads.
  func with(
    _ body: Body, offset: Int = 0, element: ElementIdentity? = nil, child: ChildWay?,
    _ change: @escaping @Sendable (ReducerCase) -> ReducerCase
  ) -> ReducerCase {
    var copy = self
    (copy.body, copy.offset, copy.runAll) = (body, offset, nil)
    (copy.element, copy.child) = (element, child)
    copy.fault = fault ?? ReducerFault(routing: body)
    copy.mapReading(change)
    return copy
  }

  private mutating func mapReading(_ change: @escaping @Sendable (ReducerCase) -> ReducerCase) {
    if let make = reading { reading = { make().mapped(change) } }
  }

  /// This case, run on the part at the end of a way, if `access` lends one.
  @usableFromInline
  func through(
    _ way: Way, alwaysRuns: Bool = false,
    _ access: @escaping @Sendable (StateAddress, (StateAddress) -> RunOutcome) -> RunOutcome
  ) -> ReducerCase {
    let offset = offset
    let body: Body =
      switch body {
      case .one(let type, let run):
        .one(
          type,
          .perhaps { place, action in
            access(place) { run($0.advanced(by: offset), action) }
          })
      case .every(let every):
        .every(
          EveryRun(alwaysRuns: alwaysRuns && every.alwaysRuns) { place, action in
            access(place) { every.run($0.advanced(by: offset), action) ? .ran : .passedOver }.didRun
          })
      }
    return with(body, child: child(along: way)) { $0.through(way, access) }
  }

  /// This case, run on the child that `access` lends, if it lends one.
  @usableFromInline
  func inChild(
    _ access: @escaping @Sendable (StateAddress, (StateAddress) -> RunOutcome) -> RunOutcome
  ) -> ReducerCase {
    through(Way(.one(.optional)), access)
  }

  /// This case, which always runs, in another way on the part at the end of a way.
  @usableFromInline
  func always(_ type: any Action.Type, along way: Way, _ run: @escaping Run.Sure) -> ReducerCase {
    with(.one(type, .always(run)), child: child(along: way)) { $0 }
  }

  /// The case of a whole that has the state of this one `distance` bytes behind its start, at the end of a way.
  @usableFromInline
  func moved(by distance: Int, along way: Way) -> ReducerCase {
    changed(self) {
      $0.offset += distance
      $0.child = child(along: way)
      $0.mapReading { $0.moved(by: distance, along: way) }
    }
  }

  /// The way to the child, seen from what has the state at the end of another way.
  private func child(along way: Way) -> ChildWay? {
    child == nil && way.childCount == 0 ? nil : ChildWay(way, then: child)
  }

  func refused(because fault: ReducerFault) -> ReducerCase {
    changed(self) { $0.fault = fault }
  }
}

/// A case that reads another part of the state as it was before the action, made for one route of one store.
///
/// `capture` copies that part before any reducer of the action runs; `run` hands the copy to the reducer. Both go
/// through the same lenses, prisms and ids. The lock of the store guards the copy.
struct CaseReading: Sendable {
  /// Nil while nothing gives the value that the case asks for.
  let capture: ReducerCase?
  let run: ReducerCase
  /// Copies the value at an address.
  let receive: @Sendable (_ value: StateAddress) -> Void
  /// Releases the copy, where the reducer was not run.
  let clear: @Sendable () -> Void

  /// The same for what holds the state.
  func mapped(_ change: (ReducerCase) -> ReducerCase) -> CaseReading {
    CaseReading(
      capture: capture.map(change), run: change(run), receive: receive, clear: clear)
  }
}

/// Why a reducer can never be registered.
enum ReducerFault: Sendable, Hashable {
  /// It reduces a list; only the members of a list are routed.
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
      } else if ActionForm(of: type).innermost is AnyObject.Type {
        .object
      } else {
        .routed
      }
  }
}

// MARK: Elements

/// Which element of which collection an action is for, as a case over elements knows it.
@usableFromInline
final class ElementIdentity: Sendable {
  let collection: ObjectIdentifier
  /// Where the id lies in the action.
  private let offset: Int
  private let hash: @Sendable (_ id: StateAddress) -> Int

  @usableFromInline
  init(
    of collection: ObjectIdentifier, idAt offset: Int = 0,
    hash: @escaping @Sendable (_ id: StateAddress) -> Int
  ) {
    self.collection = collection
    self.offset = offset
    self.hash = hash
  }

  /// The identity for actions that have the present ones so many bytes behind their start.
  func moved(by distance: Int) -> ElementIdentity {
    ElementIdentity(of: collection, idAt: offset + distance, hash: hash)
  }

  /// The row that an action was for, where no row got another id.
  func row(in collection: StateAddress, of action: StateAddress) -> RowTouch.Row {
    let id = action.advanced(by: offset)
    return RowTouch.Row(
      collection: self.collection, place: collection, hash: hash(id), id: id)
  }

  func id<ID>(in action: StateAddress, as type: ID.Type) -> ID {
    action.advanced(by: offset).read(type)
  }
}
