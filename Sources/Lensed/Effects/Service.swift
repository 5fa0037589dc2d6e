/// Effects that belong together, under one name.
///
/// ```swift
/// let library = Service<AppState>("library", onInstall: { $0.dispatch(LibraryAction.open) }) {
///   Effect(on: LoadAction.self, .first, when: { _, change in !change.state.isLoading }) { … }
///   Effect(whenChanged: \.query, .latest) { … }
/// }
/// let installed = store.install(library)
/// ```
///
/// The conditions of its effects are called in the order of the effects. An effect can dispatch, and cannot
/// write the state.
public struct Service<State: Sendable>: Sendable {
  /// The name of the service; its effects are called `name/effect` in messages.
  public let name: String
  let effects: [Effect<State>]
  /// What is called when it comes and goes, if it has to be.
  let life: (any ServiceLife<State>)?

  /// Creates a service of some effects, and of what to do when it comes and goes.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - onInstall: Called once its effects are installed, with the store to read and dispatch to. In children,
  ///     called for each one that is there and for each one that appears.
  ///   - onRemove: Called once, when it is removed or its store is released. In children, called once for each one
  ///     that `onInstall` was called for: when the child goes, or with the service or the store if it is still there.
  ///   - effects: The effects.
  public init(
    _ name: String, onInstall: (@Sendable (_ store: ScopedStore<State>) -> Void)? = nil,
    onRemove: (@Sendable () -> Void)? = nil,
    @EffectBuilder<State> _ effects: () -> [Effect<State>]
  ) {
    let isSilent = onInstall == nil && onRemove == nil
    self.init(
      name: name, effects: effects().map { $0.named("\(name)/\($0.name)") },
      life: isSilent
        ? nil
        : PlacedService<State, State>(
          path: Optic(.identity), onInstall: onInstall ?? { _ in }, onRemove: onRemove ?? {}))
  }

  init(name: String, effects: [Effect<State>], life: (any ServiceLife<State>)?) {
    (self.name, self.effects, self.life) = (name, effects, life)
  }
}

/// Collects the effects of a service, as written between its braces.
@resultBuilder
public enum EffectBuilder<State: Sendable> {
  /// An effect.
  public static func buildExpression(_ effect: Effect<State>) -> [Effect<State>] { [effect] }

  /// Effects made elsewhere.
  public static func buildExpression(_ effects: [Effect<State>]) -> [Effect<State>] { effects }

  /// All of them, in order.
  public static func buildBlock(_ effects: [Effect<State>]...) -> [Effect<State>] {
    effects.flatMap { $0 }
  }

  /// An `if` without an `else`.
  public static func buildOptional(_ effects: [Effect<State>]?) -> [Effect<State>] {
    effects ?? []
  }

  /// The first branch.
  public static func buildEither(first: [Effect<State>]) -> [Effect<State>] { first }

  /// The second branch.
  public static func buildEither(second: [Effect<State>]) -> [Effect<State>] { second }

  /// A loop.
  public static func buildArray(_ effects: [[Effect<State>]]) -> [Effect<State>] {
    effects.flatMap { $0 }
  }
}

// MARK: Its life

/// What a service calls when it comes and goes, with the way to the feature that it was written for.
protocol ServiceLife<Root>: Sendable {
  associatedtype Root: Sendable

  func lifted<Outer: Sendable>(by path: Optic<Outer, Root>) -> any ServiceLife<Outer>

  /// Makes the presence of one installation.
  func makePresence(in view: StoreView<Root>) -> any ServicePresence
}

/// Where an installed service is: in the feature that is always there, or in the children that there are.
///
/// It calls `onInstall` and `onRemove` of the service, on any thread, and never under a lock.
protocol ServicePresence: AnyObject, Sendable {
  /// The listeners that notify it of children that come and go; none where the feature is always there.
  var listeners: [CommitListener] { get }
  /// Called once the effects are installed.
  func didInstall()
  /// Comes to no child from now on.
  func retire()
  /// Leaves all that it has come to, and comes to nothing from now on.
  ///
  /// What another thread is coming to meanwhile, that thread leaves.
  func leave()
}

/// The calls of a service of a feature of type `State`, in a state of type `Root`.
struct PlacedService<Root: Sendable, State: Sendable>: ServiceLife {
  let path: Optic<Root, State>
  let onInstall: @Sendable (_ store: ScopedStore<State>) -> Void
  let onRemove: @Sendable () -> Void

  func lifted<Outer: Sendable>(by outer: Optic<Outer, Root>) -> any ServiceLife<Outer> {
    PlacedService<Outer, State>(
      path: outer.appending(path), onInstall: onInstall, onRemove: onRemove)
  }

  func makePresence(in view: StoreView<Root>) -> any ServicePresence {
    PlacedPresence(of: self, in: view)
  }
}

/// The presence of a service in the children that there are; what is always there counts as one child.
///
/// Only a thread that has taken the children out calls for them. The one that installs takes them to come to what is
/// always there; the one that delivers takes them for a commit. Each puts back those that it is in then, and
/// `leave()` takes them for good.
private final class PlacedPresence<Root: Sendable, State: Sendable>: ServicePresence {
  private typealias Children = [[AnyID]: (identity: ChildIdentity, end: SharedFlag)]

  private struct Guarded: Sendable {
    /// The children that it is in; nil while a thread has them.
    var children: Children? = [:]
    var isRetired = false
    var hasLeft = false
  }

  private let service: PlacedService<Root, State>
  private let view: StoreView<Root>
  private let guarded = Locked(Guarded())

  init(of service: PlacedService<Root, State>, in view: StoreView<Root>) {
    (self.service, self.view) = (service, view)
  }

  private var path: Optic<Root, State> { service.path }

  var listeners: [CommitListener] {
    if path.lens != nil { return [] }
    var listener = CommitListener(
      selection: .part(path.container),
      notify: { [self] report, _, _ in
        update(by: report)
      })
    listener.startsAtOnce = true
    return [listener]
  }

  func didInstall() {
    guard let lens = path.lens, takeChildren() != nil else { return }
    install(at: EffectHome(path, lens, in: view))
    putBack([[]: (ChildIdentity(), SharedFlag())])
  }

  func retire() {
    guarded.withLock { $0.isRetired = true }
  }

  func leave() {
    let children = guarded.withLock { guarded -> Children? in
      guarded.hasLeft = true
      return guarded.children.take()
    }
    for _ in children ?? [:] { service.onRemove() }
  }

  /// Leaves the children that a commit dismissed, and comes to those that it brought.
  private func update(by report: any CommitReport) {
    guard var children = takeChildren() else { return }
    var (gone, new) = (Children(), [(ids: [AnyID], child: State)]())
    func visit(_ root: StateAddress, _ ids: [AnyID]) {
      let identity = path.identity(root, ids)
      if let former = children[ids] {
        // Of two elements with one id it is in the first.
        if identity == former.identity { return }
        gone[ids] = children.removeValue(forKey: ids)
      }
      guard let identity, let child = path.read(root, ids) else { return }
      children[ids] = (identity, SharedFlag())
      new.append((ids, child))
    }
    let named = path.namedChildren(of: report)
    report.read { root in
      if let named, named.allSatisfy({ path.hasElements(root, $0) }) {
        for ids in named { visit(root, ids) }
        return
      }
      var seen: Set<[AnyID]> = []
      _ = path.forEach(root, []) { ids, _ in
        if seen.insert(ids).inserted { visit(root, ids) }
        return true
      }
      for ids in children.keys where !seen.contains(ids) {
        gone[ids] = children.removeValue(forKey: ids)
      }
    }
    for child in gone.values {
      child.end.set()
      service.onRemove()
    }
    for (ids, child) in new {
      let isWanted = guarded.withLock { !$0.isRetired && !$0.hasLeft }
      guard isWanted, let end = children[ids]?.end else {
        children[ids] = nil
        continue
      }
      install(at: EffectHome(path, ids, child, end, in: view))
    }
    putBack(children)
  }

  private func install(at home: EffectHome<State>) {
    service.onInstall(
      ScopedStore(view: home.view, sender: ActionSender(view.core, through: home.transform)))
  }

  /// Takes the children out; nil if another thread has them, or it has left.
  private func takeChildren() -> Children? {
    guarded.withLock { $0.hasLeft ? nil : $0.children.take() }
  }

  /// Puts the children back, or leaves them, where it had to leave meanwhile.
  private func putBack(_ children: Children) {
    let hasLeft = guarded.withLock { guarded in
      if !guarded.hasLeft { guarded.children = children }
      return guarded.hasLeft
    }
    if hasLeft { for _ in children { service.onRemove() } }
  }
}

// MARK: Lifts

extension Service {
  /// This service for a larger state, of which the feature's state is one part.
  public func lifted<Root: Sendable>(_ lens: some LensLike<Root, State>) -> Service<Root> {
    lifted(by: Optic(lens.asLens))
  }

  /// This service for a larger state, of which the feature's state is the property at a key path.
  public func lifted<Root: Sendable>(
    _ keyPath: any WritableKeyPath<Root, State> & Sendable
  ) -> Service<Root> {
    lifted(by: Optic(Lens(keyPath, for: .lift)))
  }

  /// Not available: a service writes, and this key path only reads.
  @available(*, unavailable, message: "a lift needs a WritableKeyPath; this one only reads")
  public func lifted<Root: Sendable>(
    _ keyPath: any KeyPath<Root, State> & Sendable
  ) -> Service<Root> {
    ReadOnlyKeyPath.refuse(keyPath)
  }

  /// This service for an app with one wide action enum.
  ///
  /// Its effects are lifted, and the actions that it dispatches when it is installed are embedded.
  ///
  /// - Parameters:
  ///   - prism: The case of the wide enum that holds the actions.
  ///   - narrow: The actions, where the prism does not say of which type they are.
  /// - Returns: The service, of wide actions.
  public func lifted<Wide: Action, Narrow: Action>(
    action prism: Prism<Wide, Narrow>, of narrow: Narrow.Type = Narrow.self
  ) -> Service {
    lifted(by: .embedding(prism))
  }

  /// This service for one of several instances: `Tagged<Tag, A>` triggers its effects in place of `A`, and
  /// the actions that it dispatches are tagged.
  public func tagged<Tag>(_ tag: Tag.Type) -> Service {
    lifted(by: .tag(Tag.self))
  }

  /// This service for the value of an optional.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  public func optional() -> Service<State?> {
    lifted(by: .optional())
  }

  /// This service for one case of an enum, or for another part that a prism might find.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  public func matching<Root: Sendable>(_ prism: Prism<Root, State>) -> Service<Root> {
    lifted(by: .matching(prism))
  }

  /// This service for each value of a dictionary; its actions are `ElementAction(id: key, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  public func keyed<Key: Hashable & Sendable>(by key: Key.Type = Key.self) -> Service<[Key: State]>
  {
    lifted(by: .keyed(by: Key.self))
  }

  /// This service for each element of an array; its actions are `ElementAction(id: offset, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store. An element is what stands at an offset; where it is `Identifiable`, another identity there is
  /// another element.
  public func offset() -> Service<[State]> {
    lifted(by: .offset())
  }

  /// This service for each element of an array; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  ///
  /// - Complexity: An action for one element is O(*n*) in their number; with `Entities` it is O(1).
  public func identified() -> Service<[State]>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .identified())
  }

  /// This service for each of some entities; its actions are `ElementAction(id: element.id, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  @_disfavoredOverload
  public func identified() -> Service<Entities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .entities())
  }

  /// This service for each of some entities that stay sorted; its actions are
  /// `ElementAction(id: element.id, action: a)`.
  ///
  /// Its effects run while the child is there. `onInstall` is called when a child appears, and `onRemove`
  /// when it goes or another takes its place, or with the service or the store.
  @_disfavoredOverload
  public func identified() -> Service<SortedEntities<State>>
  where State: Identifiable & SendableMetatype, State.ID: Sendable {
    lifted(by: .sortedEntities())
  }

  /// This service for what holds its state.
  func lifted<Root: Sendable>(by optic: Optic<Root, State>) -> Service<Root> {
    Service<Root>(
      name: name, effects: effects.map { $0.lifted(by: optic) },
      life: life.map { $0.lifted(by: optic) })
  }
}
