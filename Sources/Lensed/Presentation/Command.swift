internal import Synchronization

/// A closure that can be compared, so that it can be part of props.
///
/// ```swift
/// struct RowProps: Equatable {
///   let title: String
///   let remove: Command
/// }
/// RowProps(title: "Alien", remove: Command("remove-7") { dispatch(ShopAction.remove(7)) })
/// ```
///
/// Two commands are equal when their ids are of the same type and equal, whatever their bodies do: give
/// an id that names everything that the body depends on. A command without an id has one of its own, so it equals its
/// own copies and nothing else; props that hold one made anew are never equal to those before.
///
/// It is called like a function: `props.remove()`.
public struct Command: Sendable, Hashable {
  private let id: CommandID
  private let body: Body

  private enum Body: Sendable {
    case anywhere(@Sendable () -> Void)
    case onMain(@MainActor @Sendable () -> Void)
  }

  /// A command that equals every other with the same id.
  ///
  /// - Parameters:
  ///   - id: What it is compared by: type and value.
  ///   - body: Runs where the command is called.
  public init<ID: Hashable & Sendable>(_ id: ID, _ body: @escaping @Sendable () -> Void) {
    self.id = CommandID(id)
    self.body = .anywhere(body)
  }

  /// A command that equals its own copies alone.
  ///
  /// - Parameter body: Runs where the command is called.
  public init(_ body: @escaping @Sendable () -> Void) {
    id = .own()
    self.body = .anywhere(body)
  }

  /// A command that equals every other with the same id, and runs on the main actor.
  ///
  /// As a `Reaction.route` it has run before anything that follows is delivered. Called by anybody
  /// else, it runs on the main actor soon after.
  public init<ID: Hashable & Sendable>(
    _ id: ID, onMain body: @escaping @MainActor @Sendable () -> Void
  ) {
    self.id = CommandID(id)
    self.body = .onMain(body)
  }

  /// A command that equals its own copies alone, and runs on the main actor.
  public init(onMain body: @escaping @MainActor @Sendable () -> Void) {
    id = .own()
    self.body = .onMain(body)
  }

  /// A command that does nothing; all of these are equal.
  public static let nothing = Command(Nothing()) {}

  private struct Nothing: Hashable, CustomStringConvertible {
    var description: String { "nothing" }
  }

  /// Runs the body.
  public func callAsFunction() {
    switch body {
    case .anywhere(let body): body()
    case .onMain(let body): Task { @MainActor in body() }
    }
  }

  /// Runs the body, now, on the main actor.
  @MainActor
  func callOnMain() {
    switch body {
    case .anywhere(let body): body()
    case .onMain(let body): body()
    }
  }

  /// Whether the ids are equal.
  public static func == (left: Command, right: Command) -> Bool { left.id == right.id }

  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Command: CustomStringConvertible {
  /// The id, as printed props show it.
  public var description: String { "Command(\(id))" }
}

/// A command that is given something when it is called, such as the text of a field.
///
/// ```swift
/// let edit = CommandWith("edit") { (text: String) in dispatch(SearchAction.edited(text)) }
/// edit("alien")
/// ```
///
/// It compares as `Command` does.
public struct CommandWith<Input>: Sendable, Hashable {
  private let id: CommandID
  private let body: @Sendable (Input) -> Void

  /// A command that equals every other with the same id.
  ///
  /// - Parameters:
  ///   - id: What it is compared by: type and value.
  ///   - body: Runs where the command is called.
  public init<ID: Hashable & Sendable>(_ id: ID, _ body: @escaping @Sendable (Input) -> Void) {
    self.id = CommandID(id)
    self.body = body
  }

  /// A command that equals its own copies alone.
  ///
  /// - Parameter body: Runs where the command is called.
  public init(_ body: @escaping @Sendable (Input) -> Void) {
    id = .own()
    self.body = body
  }

  /// Runs the body.
  public func callAsFunction(_ input: Input) { body(input) }

  /// The command that gives this one a fixed input.
  ///
  /// It equals the one that the same command makes of an equal input.
  public func with(_ input: Input) -> Command where Input: Hashable & Sendable {
    Command(Fixed(id: id, input: input)) { [body] in body(input) }
  }

  private struct Fixed: Hashable, Sendable where Input: Hashable & Sendable {
    let id: CommandID
    let input: Input
  }

  /// Whether the ids are equal.
  public static func == (left: CommandWith, right: CommandWith) -> Bool { left.id == right.id }

  /// Feeds the id.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension CommandWith: CustomStringConvertible {
  /// The id, as printed props show it.
  public var description: String { "CommandWith(\(id))" }
}

/// What commands, and other closures that have to be compared, are compared by.
struct CommandID: Sendable, Hashable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  /// An id that no other equals.
  static func own() -> CommandID { CommandID(Own()) }

  var description: String { "\(value)" }

  private struct Own: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    private let number = Own.last.wrappingAdd(1, ordering: .relaxed).newValue

    var description: String { "#\(number)" }
  }

  static func == (left: CommandID, right: CommandID) -> Bool {
    // The types come first: a cast finds an empty array of one type in that of another, a value in its
    // optional, and an object of a subclass in its class.
    guard type(of: left.value) == type(of: right.value) else { return false }
    func equals<Value: Hashable>(_ value: Value) -> Bool {
      (right.value as? Value).map { $0 == value } ?? false
    }
    return equals(left.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value)))
    hasher.combine(value)
  }
}
