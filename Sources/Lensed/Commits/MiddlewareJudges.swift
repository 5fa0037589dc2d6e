// How middleware decides about an action, so that each has met all middleware that is attached when it is reduced:
//
// 1. Before the lock is taken, each single action is shown to the `MiddlewareJudges` in their order (`JudgedActions`), and
//    these say a `Verdict`.
// 2. Under the lock, `StoreCore.missingPreparation` compares the version of the judges with that of the attached ones.
//    Where middleware was attached meanwhile, nothing is done.
// 3. The actions are then shown to the new middleware alone, and the commit is tried again.

/// What becomes of an action, as middleware decides before it is applied.
///
/// ```swift
/// func willReduce(_ action: any Action, _ context: MiddlewareContext<AppState>) -> Verdict {
///   action is Edit && context.state.isLocked ? .drop : .proceed
/// }
/// ```
public enum Verdict: Sendable {
  /// It is applied, if those after this one let it.
  case proceed
  /// Another is offered in its place to those after this one.
  ///
  /// A list is offered member by member. What an asynchronous sequence yields is offered to all
  /// middleware, as it comes.
  case replace(with: any Action)
  /// It is not applied.
  case drop
}

// MARK: Asking

typealias ActionJudge = @Sendable (_ action: any Action, _ site: CallSite) -> Verdict

/// The middleware that is asked about an action before it is reduced, as it was at one moment.
struct MiddlewareJudges: Sendable {
  /// A judge, with the number of its attachment; in a tuple, an array would hold its function behind a thunk.
  struct Judge: Sendable {
    let id: UInt64
    let ask: ActionJudge
  }

  private(set) var list: [Judge] = []
  private(set) var version: UInt64 = 0

  var isEmpty: Bool { list.isEmpty }

  mutating func add(_ ask: @escaping ActionJudge, id: UInt64) {
    list.append(Judge(id: id, ask: ask))
    version += 1
  }

  mutating func remove(_ id: UInt64) {
    list.removeAll { $0.id == id }
    version += 1
  }

  /// What becomes of an action, as the judges behind the one with a number decide; the later one was attached, the
  /// greater its number.
  func fate(of action: any Action, after met: UInt64 = 0, from site: CallSite) -> FlatList.Fate {
    for judge in list where judge.id > met {
      switch judge.ask(action, site) {
      case .proceed: continue
      case .drop: return .drop
      case .replace(let other): return .replace(with: other, by: judge.id)
      }
    }
    return .proceed
  }

  /// The number of the last judge; zero if there is none.
  var last: UInt64 { list.last?.id ?? 0 }
}

/// The single actions of one dispatch, judged by middleware without the lock, on their way to a commit.
struct JudgedActions {
  /// The members before the first asynchronous one.
  private(set) var leaves: [any Action]
  /// The first asynchronous member and those after it; they are judged when they are committed.
  private(set) var rest: [FlatList.Member] = []
  /// The action of the commit of the leaves, as observers see it.
  private(set) var seen: any Action
  /// The version of the judges that the leaves have met; nil until they are judged.
  private(set) var version: UInt64?
  /// The number of the last judge that the leaves have met.
  private var met: UInt64
  private let site: CallSite

  /// Flattens an action, and asks about each action in it; `fate` is what the judges decided of a single one.
  init(
    _ action: any Action, by judges: MiddlewareJudges, from site: CallSite,
    fate: FlatList.Fate? = nil
  ) {
    (self.site, version, met) = (site, judges.version, judges.last)
    var list = FlatList { judges.fate(of: $0, after: $1, from: site) }
    if let fate { list.append(action, as: fate) } else { list.append(action) }
    (leaves, rest, seen) = (list.leaves, list.rest, list.seen(as: action))
  }

  /// A member that is committed alone, to be judged by those that it has not met.
  init(_ member: FlatList.Member, from site: CallSite) {
    (leaves, seen, met, self.site) = ([member.action], member.action, member.met, site)
  }

  var isSynchronous: Bool { rest.isEmpty }

  /// Has the leaves judged by those that they have not met.
  mutating func judge(by judges: MiddlewareJudges) {
    var list = FlatList { [site] in judges.fate(of: $0, after: $1, from: site) }
    for leaf in leaves { list.append(leaf, after: met) }
    (version, met) = (judges.version, max(met, judges.last))
    (leaves, rest, seen) = (list.leaves, list.rest + rest, list.seen(as: seen))
  }
}
