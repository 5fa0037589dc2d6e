/// What a feature installs, in terms of its own state: an effect, the events of an asynchronous mutator, its life.
protocol PlacedContent<ContentState>: Sendable {
  /// The state of the feature; by another name than the parameter of an `Effect`, which errors of the compiler would
  /// spell `Effect<App>.State` in place of `App`.
  associatedtype ContentState: Sendable

  /// What messages call it: "the effect save".
  var title: String { get }
  /// The types of the actions that trigger or end it.
  var actionTypes: [any Action.Type] { get }
  /// What it is known to ask for.
  var needs: [GivenNeed] { get }
  /// Whether its functions might ask for more than is known.
  var asksFreely: Bool { get }

  /// What keeps it out of every store; `types` are its action types, as the store knows them.
  func faults(of types: [any Action.Type]) -> [FoundFault]
  /// The same in a feature that has a name.
  func named(in feature: String) -> Self
  /// Makes what attaches it where it is placed.
  func attachment<Root>(
    of placed: Placed<Root, Self>, in view: StoreView<Root>, epochs: [OwnershipEpoch]
  ) -> Attachment
}

/// What a feature installs, in a state of type `Root`.
///
/// Its content stays in terms of the feature, and each lift appends to the path. So an effect of a row in a row costs one
/// look-up more, and no closure more.
struct Placed<Root: Sendable, Content: PlacedContent>: Sendable {
  let content: Content
  let path: Optic<Root, Content.ContentState>
  /// What it was given, the nearest of each type.
  var givers: [Giver] = []
}

extension Placed: InstalledPart {
  var title: String { content.title }

  var faults: [FoundFault] {
    let (faults, feature) = (content.faults(of: actionTypes), path.way.text())
    return feature.isEmpty ? faults : faults.map { $0.inChildren(of: feature) }
  }

  var actionTypes: [any Action.Type] {
    content.actionTypes.map { ActionRoute($0, through: path.steps).type }
  }

  func attachment(in view: StoreView<Root>, of epochs: [OwnershipEpoch]) -> Attachment {
    content.attachment(of: self, in: view, epochs: epochs)
  }

  func lifted<Outer: Sendable>(by optic: Optic<Outer, Root>) -> any InstalledPart<Outer> {
    Placed<Outer, Content>(
      content: content, path: optic.appending(path), givers: givers.map { $0.lifted(by: optic) })
  }

  func named(in feature: String) -> any InstalledPart<Root> {
    Placed(content: content.named(in: feature), path: path, givers: givers)
  }

  // MARK: What it is given

  private func isGiven(_ type: any Any.Type) -> Bool { givers.contains { $0.gives(type) } }

  var needs: [GivenNeed] { content.needs.filter { !isGiven($0.type) } }

  func mayAsk(for type: any Any.Type) -> Bool { content.asksFreely && !isGiven(type) }

  /// The nearest giver of a type is the first that comes.
  func given(by giver: Giver) -> any InstalledPart<Root> {
    guard mayAsk(for: giver.type) || needs.contains(where: { giver.gives($0.type) }) else {
      return self
    }
    var given = self
    given.givers.append(giver)
    return given
  }
}

extension StorePart {
  /// The part that installs something in the state itself.
  init<Content: PlacedContent<State>>(_ content: Content, owner: Owner? = nil) {
    self.init(owner: owner, installed: Placed(content: content, path: Optic(.identity)))
  }
}
