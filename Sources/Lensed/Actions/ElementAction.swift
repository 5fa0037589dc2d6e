/// An action for one element of a collection.
///
/// The reducers made by `Reducer.keyed()`, `offset()` and `identified()` handle it.
///
/// ```swift
/// store.dispatch(ElementAction(id: "milk", action: ItemAction.buy))
/// store.dispatch(ItemAction.buy.element("milk"))   // the same
/// ```
///
/// An element that is not there leaves the state untouched.
public struct ElementAction<ID: Sendable, A: Action>: Action {
  /// The key, the offset or the identity of the element.
  public let id: ID
  /// The action for the element.
  public let action: A

  /// An action for the element that `id` names.
  public init(id: ID, action: A) {
    self.id = id
    self.action = action
  }
}

extension Action {
  /// This action, for the element that `id` names.
  ///
  /// ```swift
  /// store.dispatch(ItemAction.buy.element("milk"))
  /// store.dispatch(Reload().element(7).element("house"))   // of to-do 7 in the project "house"
  /// ```
  ///
  /// A list is addressed member by member.
  ///
  /// - Parameter id: The key, the offset or the identity of the element.
  /// - Returns: The action for that element.
  public func element<ID: Sendable>(_ id: ID) -> ElementAction<ID, Self> {
    ElementAction(id: id, action: self)
  }
}

extension ElementAction: Equatable where ID: Equatable, A: Equatable {}
extension ElementAction: Hashable where ID: Hashable, A: Hashable {}
extension ElementAction: Encodable where ID: Encodable, A: Encodable {}
extension ElementAction: Decodable where ID: Decodable, A: Decodable {}

extension ElementAction: CompositeAction where A: CompositeAction {
  var members: [any Action] { action.members.map { member($0) } }
}

extension ElementAction: AsynchronousAction where A: AsynchronousAction {
  func feed(_ sink: some ActionSink) async throws {
    try await action.feed(MappingSink(sink: sink) { member($0) })
  }
}

extension ElementAction {
  private func member<Member: Action>(_ action: Member) -> any Action {
    ElementAction<ID, Member>(id: id, action: action)
  }
}

/// An action for an element, whose types are not known.
protocol AnyElementAction {
  var element: Any { get }
  var unaddressed: any Action { get }

  /// The type of the actions for the element, and that of the keys, offsets or identities.
  static var addressedType: any Action.Type { get }
  static var elementType: any Any.Type { get }
}

extension ElementAction: AnyElementAction {
  var element: Any { id }
  var unaddressed: any Action { action }
  static var addressedType: any Action.Type { A.self }
  static var elementType: any Any.Type { ID.self }
}

// MARK: Tags and ids

/// What a type of actions is made of: tags and ids, from the outside in, and the type of the actions inside.
struct ActionForm {
  /// The tags; nil for an id.
  private var layers: [ObjectIdentifier?] = []
  private(set) var ids: [any Any.Type] = []
  private(set) var innermost: any Action.Type

  init(of type: any Action.Type) {
    innermost = type
    while true {
      if let tagged = innermost as? any AnyTagged.Type {
        layers.append(ObjectIdentifier(tagged.tag))
        innermost = tagged.actionType
      } else if let element = innermost as? any AnyElementAction.Type {
        layers.append(nil)
        ids.append(element.elementType)
        innermost = element.addressedType
      } else {
        return
      }
    }
  }

  /// Whether the other form differs from this one in the types of ids alone.
  func differsInIDs(from other: ActionForm) -> Bool {
    innermost == other.innermost && layers == other.layers
      && ids.map { ObjectIdentifier($0) } != other.ids.map { ObjectIdentifier($0) }
  }
}
