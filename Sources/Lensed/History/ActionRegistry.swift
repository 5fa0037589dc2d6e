/// Converts values to text and back, for a journal.
///
/// ```swift
/// let coder = JournalCoder(
///   encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
///   decode: { try JSONDecoder().decode($0, from: Data($1.utf8)) })
/// ```
public struct JournalCoder: Sendable {
  let encode: @Sendable (any Encodable) throws -> String
  let decode: @Sendable (any Decodable.Type, String) throws -> any Decodable
  /// Whether it writes what `JSONDecoder` reads: such text stands in a session as it is.
  package private(set) var isJSON = false

  /// Creates a coder of two functions; `decode` must undo `encode`.
  public init(
    encode: @escaping @Sendable (_ value: any Encodable) throws -> String,
    decode: @escaping @Sendable (_ type: any Decodable.Type, _ text: String) throws -> any Decodable
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Creates a coder that writes JSON.
  package init(
    json encode: @escaping @Sendable (any Encodable) throws -> String,
    decode: @escaping @Sendable (any Decodable.Type, String) throws -> any Decodable
  ) {
    self.init(encode: encode, decode: decode)
    isJSON = true
  }
}

/// The names of action types in journals.
///
/// ```swift
/// let registry = ActionRegistry(coder).adding(CounterAction.self).adding(UserAction.self)
/// ```
///
/// Keep the name of a type while there are journals with it. After renaming a type, register it
/// under its old name, and old journals stay readable.
public struct ActionRegistry: Sendable {
  private let coder: JournalCoder
  private var names: [ObjectIdentifier: String] = [:]
  private var types: [String: any (Action & Codable).Type] = [:]

  /// Creates an empty registry.
  public init(_ coder: JournalCoder) {
    self.coder = coder
  }

  /// Returns this registry with one more action type.
  ///
  /// Registering two types under one name traps: a journal could not tell them apart.
  ///
  /// - Parameters:
  ///   - type: The exact type of the actions.
  ///   - name: The name in journals; by default, the name of the type.
  /// - Returns: The larger registry.
  public func adding<A: Action & Codable>(_ type: A.Type, named name: String? = nil)
    -> ActionRegistry
  {
    let name = name ?? "\(type)"
    if let known = types[name], known != type {
      fatalError(
        """
        Lensed: `\(type)` and `\(String(reflecting: known))` are both registered under the name \
        `\(name)`. Give one of them another with named:.
        """)
    }
    var copy = self
    copy.names[ObjectIdentifier(type)] = name
    copy.types[name] = type
    return copy
  }

  /// Writes a history as a journal, up to its current position; undone commits are left out.
  ///
  /// - Throws: `JournalError` for the first action that is not registered, for the first value that
  ///   cannot be written, and for a history that was never attached to a store.
  public func journal<State: Sendable & Encodable>(
    of history: History<State>
  ) throws(JournalError) -> Journal {
    guard let session = RecordedSession(history) else { throw .noStore }
    return try journal(of: session)
  }

  /// Writes a session as a journal; the session of a `SessionRecorder`, or of a `History`.
  ///
  /// ```swift
  /// if let session = recorder.session {
  ///   let data = try JSONEncoder().encode(registry.journal(of: session))
  /// }
  /// ```
  ///
  /// The journal has the causes of each commit: what made it, what set that off, the call site, and the time in
  /// microseconds. A replay of the session that is read from it has them again.
  ///
  /// - Throws: `JournalError` for the first action that is not registered, and for the first value
  ///   that cannot be written.
  /// - Complexity: O(*n*) in the actions. The text of all of them is in memory at once.
  public func journal<State: Sendable & Encodable>(
    of session: RecordedSession<State>
  ) throws(JournalError) -> Journal {
    var steps: [Journal.Step] = []
    steps.reserveCapacity(session.count)
    for (index, step) in session.steps.enumerated() {
      var written: Journal.Step
      switch step.content {
      case .actions(let actions): written = Journal.Step(actions: try write(actions, index + 1))
      case .state(let state): written = Journal.Step(state: try write(state, index + 1))
      }
      written.origin = step.causes?.site.map { "\($0)" }
      written.why = step.causes.map { Journal.Causes($0, step.revision, step.earlier) }
      steps.append(written)
    }
    return Journal(
      initial: try write(session.initial, nil), steps: steps, marks: session.marks.all)
  }

  /// Reads a journal as a session, completely, before any of it is replayed.
  ///
  /// - Throws: `JournalError` for a journal that was altered, has an unknown format, or contains an
  ///   unknown action or an unreadable value.
  public func session<State: Sendable & Decodable>(
    _ journal: Journal, of type: State.Type
  ) throws(JournalError) -> RecordedSession<State> {
    try journal.check()
    var steps: [RecordedSession<State>.Step] = []
    for (index, step) in journal.steps.enumerated() {
      let content: RecordedSession<State>.Step.Content
      if let state = step.state {
        content = .state(try read(State.self, state, index + 1))
      } else {
        var actions: [any Action] = []
        for item in step.actions { actions.append(try action(item, index + 1)) }
        content = .actions(actions)
      }
      var read = RecordedSession<State>.Step(
        content, step.why?.causes(at: step.origin), revision: step.why?.revision ?? 0)
      read.earlier = step.why?.earlier ?? []
      steps.append(read)
    }
    var session = RecordedSession(
      initial: try read(State.self, journal.initial, nil), steps: steps)
    session.marks = SessionMarks(journal.marks ?? [])
    return session
  }

  /// Whether values are written as JSON.
  package var isJSON: Bool { coder.isJSON }

  /// The names of the types, in their order.
  package var registered: [String] { types.keys.sorted() }

  /// The name that an action's type is registered by; nil where it is not.
  package func name(of type: any Any.Type) -> String? { names[ObjectIdentifier(type)] }

  /// The type by its name; nil where there is none.
  package func actionType(named name: String) -> (any (Action & Codable).Type)? { types[name] }

  /// A value as text.
  package func text(of value: any Encodable) throws -> String { try coder.encode(value) }

  /// A value of text.
  package func value<Value: Decodable>(_ type: Value.Type, of text: String) throws -> Value {
    guard let value = try coder.decode(type, text) as? Value else {
      throw AnotherType(wanted: "\(type)")
    }
    return value
  }

  /// An action of its name and text; nil where there is no such name.
  package func action(named name: String, of text: String) throws -> (any Action)? {
    guard let type = types[name] else { return nil }
    return try value(type, of: text)
  }

  /// The types that some reducer of a store handles and that are not registered, by their names, in their order.
  ///
  /// ```swift
  /// #expect(registry.missing(in: store).isEmpty)
  /// ```
  ///
  /// A commit with an action of such a type is recorded as a state.
  public func missing<State: Sendable>(in store: Store<State>) -> [String] {
    let every = ObjectIdentifier((any Action).self)
    var missing: Set<String> = []
    for type in store.handledActionTypes
    where ObjectIdentifier(type) != every && names[ObjectIdentifier(type)] == nil {
      missing.insert("\(type)")
    }
    return missing.sorted()
  }

  private func write(
    _ actions: [any Action], _ index: Int
  ) throws(JournalError) -> [Journal.Item] {
    var items: [Journal.Item] = []
    for action in actions {
      guard let name = names[ObjectIdentifier(type(of: action))],
        let codable = action as? any Encodable
      else { throw .unregistered(type: "\(type(of: action))", step: index) }
      items.append(Journal.Item(name: name, value: try write(codable, index)))
    }
    return items
  }

  private func action(_ item: Journal.Item, _ index: Int) throws(JournalError) -> any Action {
    guard let type = types[item.name] else { throw .unknownAction(name: item.name, step: index) }
    return try read(type, item.value, index)
  }

  private func write(_ value: any Encodable, _ step: Int?) throws(JournalError) -> String {
    do {
      return try coder.encode(value)
    } catch {
      throw .unwritable(type: "\(type(of: value))", step: step, error)
    }
  }

  private func read<Value: Decodable>(
    _ type: Value.Type, _ text: String, _ step: Int?
  ) throws(JournalError) -> Value {
    do {
      if let value = try coder.decode(type, text) as? Value { return value }
    } catch {
      throw .unreadable(type: "\(type)", step: step, error)
    }
    throw .unreadable(type: "\(type)", step: step, AnotherType(wanted: "\(type)"))
  }
}

/// A decoder returned a value of another type than it was asked for.
private struct AnotherType: Error, CustomStringConvertible {
  var wanted: String
  var description: String { "it is no `\(wanted)`" }
}
