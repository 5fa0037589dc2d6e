/// An analysis of a key path: where its value lies, and in which states it can be read.
///
/// A key path is read after a commit only if the read cannot trap: `\.rows[3]` traps when `rows`
/// has become shorter. Only the description of a key path shows its steps. It says `<computed …>`
/// both for a computed property and for a subscript, so an ambiguous step counts as a subscript.
@usableFromInline
struct ObservedKeyPath {
  /// The states in which the value can be read.
  enum Range {
    /// Every state: the steps are stored properties and optional chains, or one computed property.
    case everyState
    /// States in which the list or dictionary at `prefix` has the index or key of the computed
    /// step.
    case someStates
    /// The description does not show it.
    case unknown
  }

  /// The stored properties at the start of the key path.
  let prefix: [String]
  let range: Range

  /// Analyses a key path.
  ///
  /// `isProperty` says that the key path was written after a dot, so a single step is a property.
  @usableFromInline
  init(_ keyPath: AnyKeyPath, isProperty: Bool) {
    guard let steps = keyPath.shownSteps else {
      (prefix, range) = ([], .unknown)
      return
    }
    let names = steps.prefix { !$0.hasPrefix("<") && $0 != "?" && $0 != "!" }
    prefix = names == ["self"] ? [] : names.map(String.init)
    let computed = steps.count { $0.hasPrefix("<computed") }
    if steps.contains("!") {
      range = .unknown
    } else if computed == 0 || (isProperty && steps.count == 1) {
      range = .everyState
    } else {
      let isBehindPrefix = steps.dropFirst(names.count).first?.hasPrefix("<computed") == true
      range = computed == 1 && isBehindPrefix ? .someStates : .unknown
    }
  }

  /// The name of the part: the stored properties at its start.
  @usableFromInline
  var label: LensLabel { prefix.isEmpty ? .unnamed : .named(prefix.joined(separator: ".")) }
}

/// The indices and keys that are valid in a list on the way of a key path.
enum ObservedBounds: Equatable {
  /// All: a dictionary returns nil for a missing key.
  case all
  case indices(Range<Int>)
  case unknown

  /// Whether each index and key that was valid in `former` is still valid.
  func cover(_ former: ObservedBounds) -> Bool {
    switch (self, former) {
    case (.all, .all): true
    case (.indices(let own), .indices(let former)): own.contains(former) || own == former
    default: false
    }
  }

  /// Reads the bounds of the list at a path of stored properties.
  init(in state: Any, along path: [String]) {
    var value = state
    for name in path {
      guard let next = Mirror(reflecting: value).children.first(where: { $0.label == name }) else {
        self = .unknown
        return
      }
      value = next.value
    }
    self =
      if value is any Keyed {
        .all
      } else if let list = value as? any RandomAccessCollection {
        Self.indices(of: list)
      } else {
        .unknown
      }
  }

  private static func indices(of list: some RandomAccessCollection) -> ObservedBounds {
    guard let start = list.startIndex as? Int, let end = list.endIndex as? Int else {
      return .unknown
    }
    return .indices(start..<end)
  }
}

/// A type whose subscripts by key and computed properties never trap.
private protocol Keyed {}
extension Dictionary: Keyed {}
extension Set: Keyed {}
extension String: Keyed {}

/// The bounds of one list of the state, read once for all parts inside it.
@usableFromInline
final class ObservedList {
  private let read: (StateAddress) -> ObservedBounds
  private var bounds: ObservedBounds?

  init(read: @escaping (StateAddress) -> ObservedBounds) {
    self.read = read
  }

  /// Discards the bounds, before another state is read.
  func invalidate() { bounds = nil }

  func bounds(in state: StateAddress) -> ObservedBounds {
    if let bounds { return bounds }
    let new = read(state)
    bounds = new
    return new
  }
}
