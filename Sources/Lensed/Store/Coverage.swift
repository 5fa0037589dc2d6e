/// Whether every property of a state has to have an owner.
public enum Coverage: Sendable, Hashable {
  /// Every stored property that reflection of the initial state shows has a mutator or is
  /// `Unreduced`. What is missing is an error of the builder; a store that is registered into later
  /// traps on its first dispatch.
  case complete
  /// Properties may have no owner, for features that are registered one by one.
  case partial
}

/// Finds the properties of a state that nobody owns.
///
/// It goes by name: the labels that reflection shows, against the names in the footprints. Reflection
/// shows a wrapped property as `_name` and a lazy one as `$__lazy_storage_$_name`.
struct CoverageCheck {
  let footprints: [Footprint]

  /// The properties of `state` without an owner, as dotted names.
  func missing(in state: Any) -> [String] {
    missing(in: state, claims: footprints.filter { !$0.isEmpty }.compactMap(\.path), at: [])
  }

  private func missing(in value: Any, claims: [[String]], at path: [String]) -> [String] {
    if claims.contains(where: \.isEmpty) { return [] }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct else {
      return [path.isEmpty ? "\\.self" : path.joined(separator: ".")]
    }
    let properties = mirror.children.filter { Self.size(of: $0.value) > 0 }
    let ghosts = Set(mirror.children.filter { Self.size(of: $0.value) == 0 }.compactMap(\.label))
    return properties.enumerated().flatMap { index, property -> [String] in
      guard let label = property.label else { return [] }
      var names = Self.names(of: label)
      // The key path of the first property is printed with the name of a property of no size that
      // stands before it, because both begin at the first byte.
      if index == 0 { names.formUnion(ghosts) }
      let inner = claims.filter { names.contains($0[0]) }.map { Array($0.dropFirst()) }
      let name = Self.name(of: label)
      if inner.isEmpty { return [(path + [name]).joined(separator: ".")] }
      return missing(in: property.value, claims: inner, at: path + [name])
    }
  }

  private static let lazyPrefix = "$__lazy_storage_$_"

  /// The names by which a property that reflection shows as `label` may be claimed.
  private static func names(of label: String) -> Set<String> {
    var names: Set<String> = [label, name(of: label)]
    if label.hasPrefix("_") { names.insert(String(label.dropFirst())) }
    return names
  }

  private static func name(of label: String) -> String {
    label.hasPrefix(lazyPrefix) ? String(label.dropFirst(lazyPrefix.count)) : label
  }

  private static func size(of value: Any) -> Int {
    func size<Value>(_ value: Value) -> Int { MemoryLayout<Value>.size }
    return _openExistential(value, do: size)
  }
}
