/// Finds the properties of a state that have no owner, and which property each owner means.
///
/// It goes by name: the labels that reflection shows, against the names in the footprints. Reflection
/// shows a wrapped property as `_name`, a lazy one as `$__lazy_storage_$_name`, a raw identifier between
/// backticks, and the element of a tuple without a label as `.0`. So a property may be claimed by several names: `_name` as
/// `name` too, unless another property has that name.
struct CoverageCheck {
  /// The properties that no owner covers, as dotted names.
  private(set) var missing: [String] = []
  /// What each owner claims, by its index: the names of the properties that lead there, as reflection shows them.
  ///
  /// What has no size is not among them, nor what no name leads to.
  private(set) var paths: [Int: [String]] = [:]

  init(of owners: [Owner], in state: Any) {
    let claims = owners.indices.compactMap { index -> Claim? in
      let footprint = owners[index].footprint
      guard !footprint.isEmpty, let path = footprint.path else { return nil }
      return Claim(owner: index, hasBytes: footprint.bytes != nil, rest: path[...])
    }
    visit(state, claims, at: [], isCovered: false)
  }

  /// The claim of an owner on a value, or on something in it.
  private struct Claim {
    let owner: Int
    let hasBytes: Bool
    /// The names that lead on from the value; none where it is the value that is claimed.
    var rest: ArraySlice<String>
  }

  private mutating func visit(
    _ value: Any, _ claims: [Claim], at path: [String], isCovered: Bool
  ) {
    let inner = claims.filter { !$0.rest.isEmpty }
    for claim in claims where claim.rest.isEmpty { paths[claim.owner] = path }
    let isCovered = isCovered || inner.count < claims.count
    if isCovered && inner.isEmpty { return }
    guard let properties = Self.properties(of: Mirror(reflecting: value)) else {
      if !isCovered { missing.append(path.isEmpty ? "\\.self" : Way.text(path)) }
      for claim in inner { paths[claim.owner] = path + claim.rest }
      return
    }
    let claimed = distribute(inner, over: properties, at: path)
    for (property, claims) in zip(properties, claimed) where !property.isEmpty {
      let path = path + [property.name]
      if !claims.isEmpty {
        visit(property.value, claims, at: path, isCovered: isCovered)
      } else if !isCovered {
        missing.append(Way.text(path))
      }
    }
  }

  /// The claims on each of some properties.
  private mutating func distribute(
    _ claims: [Claim], over properties: [Property], at path: [String]
  ) -> [[Claim]] {
    var claimed = [[Claim]](repeating: [], count: properties.count)
    if claims.isEmpty { return claimed }
    var byName: [String: Int] = [:]
    for index in properties.indices {
      byName[properties[index].name] = index
      if let other = properties[index].otherName { byName[other] = index }
    }
    for var claim in claims {
      guard let name = claim.rest.first, var index = byName[name] else {
        paths[claim.owner] = path + claim.rest
        continue
      }
      claim.rest.removeFirst()
      // The key path of the first property is printed with the name of a property of no size that
      // stands before it, because both begin at the first byte.
      if properties[index].isEmpty && (claim.hasBytes || !claim.rest.isEmpty) {
        index = properties.firstIndex { !$0.isEmpty } ?? index
      }
      claimed[index].append(claim)
    }
    return claimed
  }

  private struct Property {
    /// The name by which it may be claimed.
    let name: String
    /// Another such name: its position in a tuple, or that of the property whose storage it is.
    var otherName: String?
    let value: Any
    /// Whether it has no size.
    let isEmpty: Bool
  }

  /// The stored properties of a struct, or the elements of a tuple; nil of anything else.
  private static func properties(of mirror: Mirror) -> [Property]? {
    guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple else { return nil }
    let isTuple = mirror.displayStyle == .tuple
    var properties: [Property] = []
    var hasUnderscores = false
    for child in mirror.children {
      guard let label = child.label else { continue }
      let name = name(of: label)
      hasUnderscores = hasUnderscores || name.utf8.first == UInt8(ascii: "_")
      properties.append(
        Property(
          name: name, otherName: isTuple ? "\(properties.count)" : nil, value: child.value,
          isEmpty: size(of: child.value) == 0))
    }
    if isTuple || !hasUnderscores { return properties }
    let own = Set(properties.map(\.name))
    for index in properties.indices where properties[index].name.hasPrefix("_") {
      // The underscore is either part of the name, or the property is the storage of a wrapper.
      let wrapped = String(properties[index].name.dropFirst())
      if !own.contains(wrapped) { properties[index].otherName = wrapped }
    }
    return properties
  }

  private static let lazyPrefix = "$__lazy_storage_$_"

  private static func name(of label: String) -> String {
    if label.utf8.allSatisfy({ Self.isOrdinary($0) }) { return label }
    let name = label.hasPrefix(lazyPrefix) ? String(label.dropFirst(lazyPrefix.count)) : label
    return Way.name(ofField: name)
  }

  /// Whether a byte is that of an ASCII letter or digit, or an underscore, which mean themselves in a label.
  private static func isOrdinary(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func size(of value: Any) -> Int {
    func size<Value>(_ value: Value) -> Int { MemoryLayout<Value>.size }
    return _openExistential(value, do: size)
  }
}

// MARK: What is asked for

/// Whether every property of a state has to have an owner.
///
/// ```swift
/// let store = Store(initialState: AppState(), coverage: .partial)
/// try store.register(counterMutator)  // the other properties have no owner yet
/// ```
public enum Coverage: Sendable, Hashable {
  /// Every stored property that reflection of the initial state shows has one mutator, by whichever of its
  /// names, or is `Constant`. What is missing is an error of the builder; a store that is registered into
  /// later traps on its first dispatch.
  case complete
  /// Properties may have no owner, for features that are registered one by one.
  case partial
}
