/// The first few of a dictionary, in an order that does not depend on the run.
struct Ranking<Name: Hashable & Comparable, Value> {
  let top: [(name: Name, value: Value)]
  let rest: [(name: Name, value: Value)]

  /// Largest first; those alike go by name.
  init(_ values: [Name: Value], top limit: Int, by size: (Value) -> Int) {
    let ranked = values.map { (name: $0.key, value: $0.value, size: size($0.value)) }
      .sorted { ($1.size, $0.name) < ($0.size, $1.name) }
      .map { (name: $0.name, value: $0.value) }
    let showsRest = ranked.count > limit
    top = Array(ranked.prefix(showsRest ? limit : ranked.count))
    rest = Array(ranked.dropFirst(top.count))
  }
}
