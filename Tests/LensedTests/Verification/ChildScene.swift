import Lensed
import LensedTestSupport

/// A child with work that stamps it, and never stops by itself.
struct StampedChild: Sendable, Equatable, Identifiable {
  /// No two children have the same one, so it says which one a stamp is from.
  let id: Int
  var stamps = 0

  struct Begin: Action {}
  struct Stamp: Action { let child: Int }
  struct Tick: Action {}

  /// How the work of a child comes to dispatch.
  enum Kind: String, Sendable, CaseIterable {
    /// It dispatches on and on, also for a while after it was cancelled.
    case dispatching
    /// It returns a sequence of actions.
    case returning
    /// It dispatches a sequence that runs beside it.
    case sequence
    /// It answers each tick that it waits for.
    case answering
    /// It is set off by its own stamps, as an effect of a changed value.
    case changing
  }

  static func feature(_ kind: Kind) -> Feature<StampedChild> {
    Feature<StampedChild> {
      Constant(\.id)
      Mutator(\.stamps) { (stamps: inout Int, _: Stamp) in stamps += 1 }
      switch kind {
      case .dispatching:
        Effect(on: Begin.self) { _, context in
          let stamp = Stamp(child: context.change.state.id)
          while !Task.isCancelled {
            context.dispatch(stamp)
            await Task.yield()
          }
          for _ in 0..<20 { context.dispatch(stamp) }
        }
      case .returning:
        Effect(on: Begin.self) { _, context in Stamps(child: context.change.state.id) }
      case .sequence:
        Effect(on: Begin.self) { _, context in
          try? await context.dispatch(Stamps(child: context.change.state.id)).finish()
          context.dispatch(Stamp(child: context.change.state.id))
        }
      case .answering:
        Effect(on: Begin.self) { _, context in
          let stamp = Stamp(child: context.change.state.id)
          context.dispatch(stamp)
          context.dispatch(Tick())
          while (try? await context.next(Tick.self)) != nil {
            context.dispatch([stamp, stamp])
            context.dispatch(Tick())
          }
          context.dispatch(stamp)
        }
        .keepingChanges()
      case .changing:
        Effect(on: Begin.self) { _, context in Stamp(child: context.change.state.id) }
        Effect(whenChanged: \.stamps) { _, context in Stamp(child: context.change.state.id) }
      }
    }
  }

  /// Stamps of a child, until the reader is cancelled.
  struct Stamps: AsyncSequence, Sendable {
    let child: Int

    struct Iterator: AsyncIteratorProtocol {
      let child: Int
      mutating func next() async -> Stamp? {
        await Task.yield()
        return Task.isCancelled ? nil : Stamp(child: child)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(child: child) }
  }
}

/// A state with children in each kind of place.
struct ChildScene: Sendable, Equatable {
  var sheet: StampedChild?
  var screen = Screen.none
  var rows: [StampedChild] = []
  var entities: Entities<StampedChild> = []
  var byKey: [Int: StampedChild] = [:]
  var groups: [Group] = []
  var busy = 0

  enum Screen: Sendable, Equatable {
    case none, child(StampedChild)
    static let child = Prism<Screen, StampedChild>(
      embed: { .child($0) }, extract: { if case .child(let child) = $0 { child } else { nil } })
  }
  struct Group: Sendable, Equatable, Identifiable {
    let id: Int
    var child: StampedChild?
  }

  /// Where a child is.
  enum Place: String, Sendable, CaseIterable { case sheet, screen, rows, entities, byKey, groups }
  /// Puts a child somewhere, or takes it away.
  struct Put: Action { let place: Place, id: Int, isThere: Bool }
  struct Hold: Action {}

  /// The children that are there.
  var children: Set<Int> {
    var found = rows.map(\.id) + entities.map(\.id) + byKey.values.map(\.id)
    found += groups.compactMap(\.child?.id)
    if let sheet { found.append(sheet.id) }
    if case .child(let child) = screen { found.append(child.id) }
    return Set(found)
  }

  mutating func apply(_ put: Put) {
    let child = put.isThere ? StampedChild(id: put.id) : nil
    switch put.place {
    case .sheet: if put.isThere || sheet?.id == put.id { sheet = child }
    case .screen: screen = child.map(Screen.child) ?? .none
    case .rows:
      if let child { rows.append(child) } else { rows.removeAll { $0.id == put.id } }
    case .entities:
      if let child { entities.append(child) } else { entities[id: put.id] = nil }
    case .byKey: byKey[put.id] = child
    case .groups:
      // By turns the group goes, or the child in it alone.
      if let child {
        groups.append(Group(id: put.id, child: child))
      } else if put.id.isMultiple(of: 2) {
        groups.removeAll { $0.id == put.id }
      } else if let index = groups.firstIndex(where: { $0.id == put.id }) {
        groups[index].child = nil
      }
    }
  }

  /// An action as a child at some place is given it.
  static func address(_ action: some Action, to id: Int, at place: Place) -> any Action {
    switch place {
    case .sheet: action.tagged(StampedChild?.self)
    case .screen: action.tagged(Screen.self)
    case .rows: ElementAction(id: id, action: action)
    case .entities: ElementAction(id: id, action: action.tagged(Entities<StampedChild>.self))
    case .byKey: ElementAction(id: id, action: action.tagged(Int.self))
    case .groups: ElementAction(id: id, action: action.tagged(Group.self))
    }
  }

  /// The child that an action is a stamp of.
  static func stamped(by action: any Action) -> Int? {
    switch action {
    case let stamp as StampedChild.Stamp: stamp.child
    case let tagged as Tagged<StampedChild?, StampedChild.Stamp>: tagged.action.child
    case let tagged as Tagged<Screen, StampedChild.Stamp>: tagged.action.child
    case let row as ElementAction<Int, StampedChild.Stamp>: row.action.child
    case let row as ElementAction<Int, Tagged<Entities<StampedChild>, StampedChild.Stamp>>:
      row.action.action.child
    case let row as ElementAction<Int, Tagged<Int, StampedChild.Stamp>>: row.action.action.child
    case let row as ElementAction<Int, Tagged<Group, StampedChild.Stamp>>: row.action.action.child
    default: nil
    }
  }

  static func makeStore(_ kind: StampedChild.Kind) throws -> Store<ChildScene> {
    let child = StampedChild.feature(kind)
    let group = Feature<Group> {
      child.tagged(Group.self).optional().lifted(\.child)
    }
    return try Store(initialState: ChildScene(), coverage: .partial) {
      Mutator(\ChildScene.busy) { (busy: inout Int, _: Hold) in
        for step in 0..<200 { busy = busy &* 31 &+ step }
      }
      Mutator(\ChildScene.sheet) { (sheet: inout StampedChild?, put: Put) in
        edit(&sheet, \.sheet, put, at: .sheet)
      }
      Mutator(\ChildScene.screen) { (screen: inout Screen, put: Put) in
        edit(&screen, \.screen, put, at: .screen)
      }
      Mutator(\ChildScene.rows) { (rows: inout [StampedChild], put: Put) in
        edit(&rows, \.rows, put, at: .rows)
      }
      Mutator(\ChildScene.entities) { (entities: inout Entities<StampedChild>, put: Put) in
        edit(&entities, \.entities, put, at: .entities)
      }
      Mutator(\ChildScene.byKey) { (byKey: inout [Int: StampedChild], put: Put) in
        edit(&byKey, \.byKey, put, at: .byKey)
      }
      Mutator(\ChildScene.groups) { (groups: inout [Group], put: Put) in
        edit(&groups, \.groups, put, at: .groups)
      }
      child.tagged(StampedChild?.self).optional().lifted(\.sheet)
      child.tagged(Screen.self).matching(Screen.child).lifted(\.screen)
      child.identified().lifted(\.rows)
      child.tagged(Entities<StampedChild>.self).identified().lifted(\.entities)
      child.tagged(Int.self).keyed(by: Int.self).lifted(\.byKey)
      group.identified().lifted(\.groups)
    }
  }

  private static func edit<Part>(
    _ part: inout Part, _ keyPath: WritableKeyPath<ChildScene, Part>, _ put: Put, at place: Place
  ) {
    if put.place != place { return }
    var scene = ChildScene()
    swap(&scene[keyPath: keyPath], &part)
    scene.apply(put)
    swap(&scene[keyPath: keyPath], &part)
  }
}
