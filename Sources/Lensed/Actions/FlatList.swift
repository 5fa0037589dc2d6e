// How several actions become commits:
//
// 1. An array of one type is one `ActionBatch`.
// 2. A mixed list (`[any Action]`, `ActionList`) whose members all have routes is one commit, and runs from where it
//    lies (`Transaction.reduce`). Members of one type that follow each other are a *run*: one batch if
//    `Route.takesRuns`.
// 3. Any other list is flattened here: lists in lists, sequences, new types, and all that middleware is asked about.
// 4. The members before the first asynchronous one are one commit. The others follow one by one, in a task.

/// The single actions of a list, without inner lists and what middleware dropped; their depth takes no stack.
struct FlatList {
  struct Member {
    let action: any Action
    /// The number of the last judge that it has met, or that put it there; zero if there is none.
    let met: UInt64
  }

  enum Fate {
    case proceed
    case drop
    /// The judge with a number puts another action in its place, which the later ones judge; rare, so it lies
    /// elsewhere, and what proceeds is a word.
    indirect case replace(with: any Action, by: UInt64)
  }

  /// The members before the first asynchronous one.
  private(set) var leaves: [any Action] = []
  /// The first asynchronous member and those after it; they are judged when they are committed.
  private(set) var rest: [Member] = []
  /// Some types of leaves; most lists repeat a few types, and classifying a type is slow.
  private var known: [ObjectIdentifier] = []
  private var isAltered = false
  private let judge: (_ action: any Action, _ met: UInt64) -> Fate

  init(_ judge: @escaping (_ action: any Action, _ met: UInt64) -> Fate) { self.judge = judge }

  var isSynchronous: Bool { rest.isEmpty }

  /// Whether an action is a list without members, however deep its lists lie.
  static func isEmpty(_ action: any Action) -> Bool {
    var list = FlatList { _, _ in .proceed }
    list.append(action)
    return list.leaves.isEmpty && list.rest.isEmpty
  }

  /// The action of the commit of the leaves, as observers see it.
  func seen(as action: any Action) -> any Action {
    if isSynchronous && !isAltered { return action }
    if !(action is any CompositeAction), leaves.count == 1 { return leaves[0] }
    return ActionList(leaves)
  }

  /// Adds a single action that was judged.
  mutating func append(_ action: any Action, as fate: Fate) {
    switch fate {
    case .proceed:
      leaves.append(action)
    case .drop:
      isAltered = true
    case .replace(let other, let judge):
      isAltered = true
      append(other, after: judge)
    }
  }

  /// Members of a list that are still to be added; `depth` counts the tagged lists and lists of an element around it.
  private typealias Level = (members: ArraySlice<any Action>, met: UInt64, depth: Int)

  /// Adds an action, judged by those behind the judge with a number.
  mutating func append(_ action: any Action, after met: UInt64 = 0) {
    // The innermost list last. The stack is an array, because there may be many.
    var levels: [Level] = []
    add(action, after: met, depth: 0, &levels)
    while let level = levels.indices.last {
      guard let member = levels[level].members.popFirst() else {
        levels.removeLast()
        continue
      }
      let (met, depth) = (levels[level].met, levels[level].depth)
      // An exhausted level is removed before its last member is added, so that tail nesting costs no depth.
      if levels[level].members.isEmpty { levels.removeLast() }
      add(member, after: met, depth: depth, &levels)
    }
  }

  private mutating func add(
    _ action: any Action, after met: UInt64, depth: Int, _ levels: inout [Level]
  ) {
    if !rest.isEmpty {
      rest.append(Member(action: action, met: met))
    } else if known.contains(ObjectIdentifier(action.exactType)) {
      append(leaf: action, after: met, depth: depth, &levels)
    } else if action is any AsynchronousAction {
      rest.append(Member(action: action, met: met))
    } else if let list = action as? any CompositeAction {
      let depth = list is ActionList || list is [ActionList] ? depth : depth + 1
      if depth > Self.greatestDepth { Self.trapDepth() }
      levels.append((list.members[...], met, depth))
    } else {
      if known.count < Self.greatestKnown { known.append(ObjectIdentifier(action.exactType)) }
      append(leaf: action, after: met, depth: depth, &levels)
    }
  }

  private mutating func append(
    leaf action: any Action, after met: UInt64, depth: Int, _ levels: inout [Level]
  ) {
    switch judge(action, met) {
    case .replace(let other, let judge):
      isAltered = true
      add(other, after: judge, depth: depth, &levels)
    case let fate:
      append(action, as: fate)
    }
  }

  /// A longer search would be slower than classifying.
  private static let greatestKnown = 8

  /// How deep lists may lie in tagged ones and in those of an element: each level is a type of its own.
  private static let greatestDepth = 100

  @inline(never)
  private static func trapDepth() -> Never {
    fatalError(
      """
      Lensed: a \(code: ActionList.self) lies more than \(greatestDepth) deep in tagged actions and actions \
      of an element. Put the list outside, and tag or address each of its members.
      """)
  }
}
