/// Whether every property of a state has to have an owner.
public enum Coverage: Sendable, Hashable {
  /// Every stored property that reflection of the initial state shows has a mutator or is
  /// `Unreduced`. What is missing is an error of the builder; a store that is registered into later
  /// traps on its first dispatch.
  case complete
  /// Properties may have no owner, for features that are registered one by one.
  case partial
}

/// Finds the properties of a state that have no owner.
///
/// It goes by name: the labels that reflection shows, against the names in the footprints. Reflection
/// shows a wrapped property as `_name`, a lazy one as `$__lazy_storage_$_name`, a raw identifier between
/// backticks, and the element of a tuple without a label as `.0`.
enum CoverageCheck {
  /// The properties of `state` that none of `owners` covers, as dotted names.
  static func missing(in state: Any, of owners: [Owner]) -> [String] {
    let claims = owners.map(\.footprint).filter { !$0.isEmpty }.compactMap(\.path)
    return missing(in: state, claims: claims, at: [])
  }

  private static func missing(in value: Any, claims: [[String]], at path: [String]) -> [String] {
    if claims.contains(where: \.isEmpty) { return [] }
    let mirror = Mirror(reflecting: value)
    guard let stored = storedProperties(of: mirror) else {
      return [path.isEmpty ? "\\.self" : LensLabel.text(path)]
    }
    return stored.flatMap { property -> [String] in
      let inner = claims.filter { property.names.contains($0[0]) }.map { Array($0.dropFirst()) }
      if inner.isEmpty { return [LensLabel.text(path + [property.name])] }
      return missing(in: property.value, claims: inner, at: path + [property.name])
    }
  }

  /// The properties of `state` that two of `owners` claim by different names, as dotted names.
  ///
  /// Footprints without bytes are told apart by their names alone, and a property may have two.
  static func claimedTwice(in state: Any, of owners: [Owner]) -> [String] {
    let parts = owners.filter { $0.children == nil && !$0.footprint.isEmpty }
    return claimedTwice(in: state, claims: parts.compactMap(\.footprint.path), at: [])
  }

  private static func claimedTwice(
    in value: Any, claims: [[String]], at path: [String]
  ) -> [String] {
    let claims = claims.filter { !$0.isEmpty }
    if claims.count < 2 { return [] }
    return (storedProperties(of: Mirror(reflecting: value)) ?? []).flatMap { property -> [String] in
      let own = claims.filter { property.names.contains($0[0]) }
      let isTwice = own.indices.contains { index in
        own[..<index].contains { other in
          let (one, two) = (own[index].dropFirst(), other.dropFirst())
          return own[index][0] != other[0] && (one.starts(with: two) || two.starts(with: one))
        }
      }
      let path = path + [property.name]
      if isTwice { return [LensLabel.text(path)] }
      return claimedTwice(in: property.value, claims: own.map { Array($0.dropFirst()) }, at: path)
    }
  }

  /// The properties that have a size, with all names by which they may be claimed; nil of what has none.
  private static func storedProperties(of mirror: Mirror) -> [Property]? {
    guard let properties = properties(of: mirror) else { return nil }
    var stored = properties.filter { size(of: $0.value) > 0 }
    // The key path of the first property is printed with the name of a property of no size that
    // stands before it, because both begin at the first byte.
    let ghosts = properties.filter { size(of: $0.value) == 0 }.flatMap(\.names)
    if !stored.isEmpty { stored[0].names.formUnion(ghosts) }
    return stored
  }

  private struct Property {
    let name: String
    /// The names by which it may be claimed.
    var names: Set<String>
    let value: Any
  }

  /// The stored properties of a struct, or the elements of a tuple; nil of anything else.
  private static func properties(of mirror: Mirror) -> [Property]? {
    guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple else { return nil }
    var properties: [Property] = mirror.children.enumerated().compactMap { index, child in
      guard let name = child.label.map(name(of:)) else { return nil }
      let position: Set<String> = mirror.displayStyle == .tuple ? ["\(index)"] : []
      return Property(name: name, names: position.union([name]), value: child.value)
    }
    let own = Set(properties.map(\.name))
    for index in properties.indices where properties[index].name.hasPrefix("_") {
      // The underscore is either part of the name, or the property is the storage of a wrapper.
      let wrapped = String(properties[index].name.dropFirst())
      if !own.contains(wrapped) { properties[index].names.insert(wrapped) }
    }
    return properties
  }

  private static let lazyPrefix = "$__lazy_storage_$_"

  private static func name(of label: String) -> String {
    let name = label.hasPrefix(lazyPrefix) ? String(label.dropFirst(lazyPrefix.count)) : label
    return LensLabel.name(ofField: name)
  }

  private static func size(of value: Any) -> Int {
    func size<Value>(_ value: Value) -> Int { MemoryLayout<Value>.size }
    return _openExistential(value, do: size)
  }
}
