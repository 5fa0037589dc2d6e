/// The middleware that is asked about an action before it is reduced, as it was at one moment.
struct Judges: Sendable {
  /// Who is asked, with the number of the attachment, in order.
  private(set) var list: [(id: UInt64, ask: ActionJudge)] = []
  /// Changes with the list.
  private(set) var version: UInt64 = 0

  var isEmpty: Bool { list.isEmpty }

  mutating func add(_ ask: @escaping ActionJudge, id: UInt64) {
    list.append((id, ask))
    version += 1
  }

  mutating func remove(_ id: UInt64) {
    list.removeAll { $0.id == id }
    version += 1
  }
}

/// The single actions of one dispatch, judged by middleware, on their way to a commit.
///
/// They are judged without the lock. If middleware was attached meanwhile, the commit refuses them, and they
/// are judged by the new middleware too: so each action has met, once, all middleware that is attached when it
/// is reduced.
struct JudgedActions {
  /// The members before the first asynchronous one.
  private(set) var leaves: [any Action]
  /// The first asynchronous member and those after it; they are judged when they are committed.
  private(set) var rest: [any Action]
  /// The action of the commit of the leaves, as observers see it.
  private(set) var seen: any Action
  /// The judges that the actions have met.
  private(set) var version: UInt64
  /// The last of the judges that the actions have met; those who come later have greater numbers.
  private var last: UInt64
  private let site: CallSite

  /// Flattens an action, and asks about each action in it.
  init(_ action: any Action, by judges: Judges, from site: CallSite) {
    self.site = site
    var list = Self.list(judges.list[...], site)
    list.append(action)
    (leaves, rest, seen) = (list.leaves, list.rest, list.seen(as: action))
    (version, last) = (judges.version, judges.list.last?.id ?? 0)
  }

  var isSynchronous: Bool { rest.isEmpty }

  /// Asks those who came since.
  mutating func judge(by judges: Judges) {
    version = judges.version
    let new = judges.list.drop { $0.id <= last }
    last = judges.list.last?.id ?? last
    if new.isEmpty { return }
    var list = Self.list(new, site)
    for leaf in leaves { list.append(leaf) }
    (leaves, rest, seen) = (list.leaves, list.rest + rest, list.seen(as: seen))
  }

  private static func list(
    _ judges: ArraySlice<(id: UInt64, ask: ActionJudge)>, _ site: CallSite
  ) -> FlatList {
    FlatList { action, first in
      for index in judges.indices.dropFirst(first) {
        switch judges[index].ask(action, site) {
        case .proceed: continue
        case .drop: return .drop
        case .replace(let other): return .replace(with: other, next: index + 1 - judges.startIndex)
        }
      }
      return .proceed
    }
  }
}
