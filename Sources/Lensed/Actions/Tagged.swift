/// An action for one of several instances of the same feature.
///
/// The tag is a type, so two instances have two action types, and routing keeps them apart at no cost.
///
/// ```swift
/// enum Left {}
/// store.dispatch(ChatAction.send("hi").tagged(Left.self))
/// ```
public struct Tagged<Tag, A: Action>: Action {
  /// The action for the instance.
  public let action: A

  /// An action for the instance that `Tag` names.
  public init(_ action: A) { self.action = action }
}

extension Action {
  /// This action, for the instance that `tag` names; a list is tagged member by member.
  public func tagged<Tag>(_ tag: Tag.Type) -> Tagged<Tag, Self> { Tagged(self) }
}

extension Action {
  /// The type of this type's actions for the instance that `tag` names.
  static func tagged<Tag>(_ tag: Tag.Type) -> any Action.Type { Tagged<Tag, Self>.self }
}

extension Tagged: Equatable where A: Equatable {}
extension Tagged: Hashable where A: Hashable {}
extension Tagged: Encodable where A: Encodable {}
extension Tagged: Decodable where A: Decodable {}

extension Tagged: CompositeAction where A: CompositeAction {
  var members: [any Action] { action.members.map { member($0) } }
}

extension Tagged: AsynchronousAction where A: AsynchronousAction {
  func feed(_ sink: some ActionSink) async throws {
    try await action.feed(MappingSink(sink: sink) { member($0) })
  }
}

extension Tagged {
  private func member<Member: Action>(_ action: Member) -> any Action {
    Tagged<Tag, Member>(action)
  }
}

/// A tagged action whose types are not known.
protocol AnyTagged {
  static var tag: Any.Type { get }
  static var actionType: any Action.Type { get }
  var untagged: any Action { get }
}

extension Tagged: AnyTagged {
  static var tag: Any.Type { Tag.self }
  static var actionType: any Action.Type { A.self }
  var untagged: any Action { action }
}
