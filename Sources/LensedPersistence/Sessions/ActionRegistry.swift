internal import Foundation
public import Lensed

/// The names of action types in the files of sessions.
///
/// ```swift
/// let registry = ActionRegistry(.json).adding(CounterAction.self).adding(UserAction.self)
/// ```
///
/// Keep the name of a type while there are files with it. After renaming a type, register it under its old name, and old
/// files stay readable.
public struct ActionRegistry: Sendable {
  private let coder: ActionCoder
  private var names: [ObjectIdentifier: String] = [:]
  private var types: [String: any (Action & Codable).Type] = [:]

  /// Creates an empty registry.
  public init(_ coder: ActionCoder) {
    self.coder = coder
  }

  /// Returns this registry with one more action type.
  ///
  /// Registering two types under one name traps: a file could not tell them apart.
  ///
  /// - Parameters:
  ///   - type: The exact type of the actions.
  ///   - name: The name in files; by default, the name of the type.
  /// - Returns: The larger registry.
  public func adding<A: Action & Codable>(_ type: A.Type, named name: String? = nil)
    -> ActionRegistry
  {
    let name = name ?? "\(type)"
    if let known = types[name], known != type {
      fatalError(
        """
        Lensed: \(code: type) and \(code: String(reflecting: known)) are both registered under the name \
        \(code: name). Give one of them another with named:.
        """)
    }
    var copy = self
    copy.names[ObjectIdentifier(type)] = name
    copy.types[name] = type
    return copy
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

  /// Whether values are written as JSON.
  package var isJSON: Bool { coder.encode == nil }

  /// The names of the types, in their order.
  var registered: [String] { types.keys.sorted() }

  /// The name that an action's type is registered by; nil where it is not.
  func name(of type: any Any.Type) -> String? { names[ObjectIdentifier(type)] }

  /// The type by its name; nil where there is none.
  func actionType(named name: String) -> (any (Action & Codable).Type)? { types[name] }

  /// The text that an action is read from in place of its JSON; nil where it is read from that.
  func coded(_ action: any Encodable) throws -> String? { try coder.encode?(action) }

  /// An action of its name and text; nil where there is no such name.
  package func action(named name: String, of text: String) throws -> (any Action)? {
    guard let type = types[name] else { return nil }
    return try coder.value(type, of: text)
  }
}

/// Converts actions to text and back, for the files of sessions.
///
/// Take `.json`. With a coder of two functions, a file has the text of each action beside what `lensed-inspect` shows:
///
/// ```swift
/// let coder = ActionCoder(
///   encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
///   decode: { try JSONDecoder().decode($0, from: Data($1.utf8)) })
/// ```
public struct ActionCoder: Sendable {
  /// Nil where the JSON of a session is what is read again.
  fileprivate let encode: (@Sendable (any Encodable) throws -> String)?
  private let decode: @Sendable (any Decodable.Type, String) throws -> any Decodable

  /// Creates a coder of two functions; `decode` must undo `encode`.
  public init(
    encode: @escaping @Sendable (_ value: any Encodable) throws -> String,
    decode: @escaping @Sendable (_ type: any Decodable.Type, _ text: String) throws -> any Decodable
  ) {
    (self.encode, self.decode) = (encode, decode)
  }

  private init(
    decode: @escaping @Sendable (_ type: any Decodable.Type, _ text: String) throws -> any Decodable
  ) {
    (encode, self.decode) = (nil, decode)
  }

  /// JSON, as Foundation reads it; numbers that JSON lacks are `"inf"`, `"-inf"` and `"nan"`.
  public static let json = ActionCoder { type, text in
    try JSONValue.decoder().decode(type, from: Data(text.utf8))
  }

  /// A value of text.
  func value<Value: Decodable>(_ type: Value.Type, of text: String) throws -> Value {
    guard let value = try decode(type, text) as? Value else {
      throw AnotherType(wanted: "\(type)")
    }
    return value
  }
}

/// A decoder returned a value of another type than it was asked for.
private struct AnotherType: Error, CustomStringConvertible {
  var wanted: String
  var description: String { "it is no \(code: wanted)" }
}
