/// Whether values of a type are values of other types in a box: `any P`, `any P<A>`, `Any`.
///
/// The runtime tells only by the names. That of the metatype ends in `.Protocol`, and that of no other type does:
/// theirs end in `.Type`. An existential type with parameters is named `any P<…>`; other names begin with a module.
func isExistential<Value>(_ type: Value.Type) -> Bool {
  String(reflecting: Swift.type(of: type)).hasSuffix(".Protocol")
    || String(reflecting: type).hasPrefix("any ")
}
