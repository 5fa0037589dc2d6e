internal import Synchronization

/// A closure that can be compared, so that it can be part of props; it takes an input when it is called, such as the
/// text of a field.
///
/// ```swift
/// let edit = CommandWith("edit") { (text: String) in dispatch(SearchAction.edited(text)) }
/// edit("alien")
/// ```
///
/// One without an input is a `Command`:
///
/// ```swift
/// struct RowProps: Equatable {
///   let title: String
///   let remove: Command
/// }
/// RowProps(title: "Alien", remove: Command("remove-7") { dispatch(ShopAction.remove(7)) })
/// ```
///
/// Two commands are equal when their ids have the same type and value. Their bodies are not
/// compared, so the id must name everything the body depends on. A command made without an id has a
/// unique one: it equals its own copies and nothing else, so props with a newly made one never
/// equal older props.
///
/// A command is called like a function: `props.remove()`.
public struct CommandWith<Input>: Sendable, Hashable {
  let id: CommandID
  private let body: @Sendable (Input) -> Void
  /// The body, where it runs on the main actor.
  private let mainBody: (@MainActor @Sendable () -> Void)?

  private init(
    id: CommandID, body: @escaping @Sendable (Input) -> Void,
    mainBody: (@MainActor @Sendable () -> Void)? = nil
  ) {
    (self.id, self.body, self.mainBody) = (id, body, mainBody)
  }

  /// Creates a command that equals every other with the same id.
  ///
  /// - Parameters:
  ///   - id: Identifies the command; type and value are compared.
  ///   - body: Runs where the command is called.
  @_disfavoredOverload  // A body without an input comes first.
  public init<ID: Hashable & Sendable>(_ id: ID, _ body: @escaping @Sendable (Input) -> Void) {
    self.init(id: CommandID(id), body: body)
  }

  /// Creates a command that equals only its own copies.
  ///
  /// - Parameter body: Runs where the command is called.
  @_disfavoredOverload  // A body without an input comes first.
  public init(_ body: @escaping @Sendable (Input) -> Void) {
    self.init(id: .own(), body: body)
  }

  /// Runs the body.
  public func callAsFunction(_ input: Input) { body(input) }

  /// Returns a command that calls this one with a fixed input.
  ///
  /// Two such commands are equal when they have equal inputs and come from equal commands.
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

/// A command without an input.
public typealias Command = CommandWith<Void>

extension CommandWith where Input == Void {
  /// Creates a command that equals every other with the same id.
  ///
  /// - Parameters:
  ///   - id: Identifies the command; type and value are compared.
  ///   - body: Runs where the command is called.
  public init<ID: Hashable & Sendable>(_ id: ID, _ body: @escaping @Sendable () -> Void) {
    self.init(id: CommandID(id), body: { _ in body() })
  }

  /// Creates a command that equals only its own copies.
  ///
  /// - Parameter body: Runs where the command is called.
  public init(_ body: @escaping @Sendable () -> Void) {
    self.init(id: .own(), body: { _ in body() })
  }

  /// Creates a command that runs on the main actor and equals every other with the same id.
  ///
  /// As a `Reaction` it runs before anything later is delivered. Called from anywhere else,
  /// it runs on the main actor soon after the call.
  public init<ID: Hashable & Sendable>(
    _ id: ID, onMain body: @escaping @MainActor @Sendable () -> Void
  ) {
    self.init(id: CommandID(id), body: Self.onMain(body), mainBody: body)
  }

  /// Creates a command that runs on the main actor and equals only its own copies.
  public init(onMain body: @escaping @MainActor @Sendable () -> Void) {
    self.init(id: .own(), body: Self.onMain(body), mainBody: body)
  }

  private static func onMain(
    _ body: @escaping @MainActor @Sendable () -> Void
  ) -> @Sendable (Input) -> Void {
    { _ in Task { @MainActor in body() } }
  }

  /// The command that does nothing; it equals itself.
  public static var nothing: Command { Command(Nothing()) {} }

  /// Runs the body.
  public func callAsFunction() { self(()) }

  /// Whether the body runs on the main actor, wherever the command is called.
  var isOnMain: Bool { mainBody != nil }

  /// Runs the body immediately, on the main actor.
  @MainActor
  func callOnMain() {
    if let mainBody { mainBody() } else { self() }
  }
}

private struct Nothing: Hashable, CustomStringConvertible {
  var description: String { "nothing" }
}

extension CommandWith: CustomStringConvertible {
  /// The id, as shown in printed props.
  public var description: String {
    Input.self == Void.self ? "Command(\(id))" : "CommandWith(\(id))"
  }
}

/// The identity of a command: its type and its value.
struct CommandID: Sendable, Hashable, CustomStringConvertible {
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.value = value
  }

  /// Returns a unique id.
  static func own() -> CommandID { CommandID(Own()) }

  var description: String { "\(value)" }

  private struct Own: Hashable, Sendable, CustomStringConvertible {
    private static let last = Atomic<UInt64>(0)

    private let number = Own.last.wrappingAdd(1, ordering: .relaxed).newValue

    var description: String { "#\(number)" }
  }

  static func == (left: CommandID, right: CommandID) -> Bool {
    // Types are compared first, because casts are too lenient: an empty array casts to an array of
    // any type, a value to its optional, and an object to its superclass.
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
