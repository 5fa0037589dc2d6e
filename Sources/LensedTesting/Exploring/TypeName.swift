/// The names of types.
enum TypeName {
  /// The name by which code of the type's module calls it.
  static func qualified(_ type: any Any.Type) -> String {
    let unknown = /\(unknown context at \$[0-9a-f]+\)\./
    let local = /(?:(?:\w+|`[^`]+`)\.)*(?:\(unknown context at \$[0-9a-f]+\)\.){2,}/
    let module = /(^|[<\(\[ ,])(?:\w+|`[^`]+`)\.(?!\.)/
    return source(String(reflecting: type)).replacing(/\(extension in \w+\):/, with: "")
      .replacing(local, with: "local.").replacing(unknown, with: "")
      .replacing(module) { $0.output.1 }
  }

  /// A name as the source has it: at run time, another character stands for a space in a raw identifier.
  static func source(_ name: String) -> String { name.replacing("\u{a0}", with: " ") }

  /// The short names of types; those of namesakes are qualified, or else whole.
  static func distinct(_ types: [any Any.Type]) -> [ObjectIdentifier: String] {
    let types = Dictionary(types.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
    var names = types.mapValues { "\($0)" }
    for name in [qualified, { String(reflecting: $0) }] {
      let alike = Dictionary(grouping: names.keys) { names[$0] }.values.filter { $0.count > 1 }
      for id in alike.joined() { names[id] = types[id].map(name) }
    }
    return names
  }
}
