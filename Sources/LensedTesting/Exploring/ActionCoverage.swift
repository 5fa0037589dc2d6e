internal import Lensed

/// Which actions met which cases of the state.
struct ActionCoverage: Sendable {
  /// A type of action, and its case.
  private struct Kind: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  /// The cases of the state that each kind of action met.
  private var met: [Kind: Set<String>] = [:]
  /// The cases of each part that is an enum or an optional.
  private var cases: [String: Set<String>] = [:]
  /// The types of actions that the store handles.
  private var handled: Set<ObjectIdentifier> = []
  private var seen: Set<ObjectIdentifier> = []
  private var types: [ObjectIdentifier: any Any.Type] = [:]

  mutating func note<State>(handlersOf store: Store<State>) {
    for type in store.handledActionTypes where type != (any Action).self {
      handled.insert(ObjectIdentifier(type))
      types[ObjectIdentifier(type)] = type
    }
  }

  mutating func note(_ actions: [any Action], in state: Any) {
    let found = Self.cases(of: state)
    for (part, values) in found {
      cases[part, default: []].formUnion(values.all)
      cases[part, default: []].insert(values.present)
    }
    for action in actions {
      let type = type(of: action)
      seen.insert(ObjectIdentifier(type))
      types[ObjectIdentifier(type)] = type
      met[Self.kind(of: action), default: []]
        .formUnion(found.map { part, values in "\(part) = \(values.present)" })
    }
  }

  /// What never happened, one line each: a type of action at all, or a kind of action in a case of the state.
  var missing: [String] {
    let names = TypeName.distinct(Array(types.values))
    let never = handled.subtracting(seen).map { names[$0, default: ""] }.sorted()
      .map { "\($0), ever" }
    let met = met.map { kind, met in (name: names[kind.type, default: ""] + kind.name, met: met) }
    let pairs = met.sorted { $0.name < $1.name }.flatMap { kind in
      cases.keys.sorted().flatMap { part in
        cases[part, default: []].sorted().map { "\(part) = \($0)" }
          .filter { !kind.met.contains($0) }.map { "\(kind.name) while \($0)" }
      }
    }
    return never + pairs
  }

  /// The cases of the parts that are enums or optionals.
  private static func cases(of state: Any) -> [(part: String, (present: String, all: [String]))] {
    let mirror = Mirror(reflecting: state)
    if mirror.displayStyle == .enum || mirror.displayStyle == .optional {
      return [("state", (name(of: state, mirror), all(of: state, mirror)))]
    }
    return mirror.children.compactMap { child in
      let inner = Mirror(reflecting: child.value)
      guard let label = child.label, inner.displayStyle == .enum || inner.displayStyle == .optional
      else { return nil }
      return (label, (name(of: child.value, inner), all(of: child.value, inner)))
    }
  }

  private static func name(of value: Any, _ mirror: Mirror) -> String {
    if mirror.displayStyle == .optional { return mirror.children.isEmpty ? "nil" : "some" }
    return mirror.children.first?.label ?? "\(value)"
  }

  private static func all(of value: Any, _ mirror: Mirror) -> [String] {
    if mirror.displayStyle == .optional { return ["nil"] }
    guard let iterable = type(of: value) as? any CaseIterable.Type else { return [] }
    return names(of: iterable)
  }

  private static func names<Value: CaseIterable>(of type: Value.Type) -> [String] {
    type.allCases.map { name(of: $0, Mirror(reflecting: $0)) }
  }

  private static func kind(of action: any Action) -> Kind {
    let mirror = Mirror(reflecting: action)
    return Kind(
      type: ObjectIdentifier(type(of: action)),
      name: mirror.displayStyle == .enum ? ".\(name(of: action, mirror))" : "")
  }
}
