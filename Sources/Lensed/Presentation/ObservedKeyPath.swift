/// An analysis of a key path: where its value lies, and in which states it can be read.
///
/// A key path is read after a commit only if the read cannot trap: `\.rows[3]` traps when `rows`
/// has become shorter. Only the description of a key path shows its steps. It says `<computed …>`
/// both for a computed property and for a subscript. Two subscripts are recognised by their functions: that of
/// an array by an index, and that of a dictionary by a key. Any other computed step might trap in any state.
@usableFromInline
struct ObservedKeyPath {
  /// The states in which the value can be read.
  enum Range {
    /// Every state: the steps are stored properties, optional chains and keys of dictionaries, or one
    /// computed property.
    case everyState
    /// States in which the array at `prefix` has the index of the computed step.
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
    let doubtful = steps.indices.filter {
      steps[$0].hasPrefix("<") && !TrappingStep.readsByKey(steps[$0])
    }
    let isIndexed = doubtful == [names.count] && TrappingStep.readsByIndex(steps[names.count])
    if steps.contains("!") {
      range = .unknown
    } else if isIndexed {
      range = .someStates
    } else {
      range = doubtful.isEmpty || (isProperty && steps.count == 1) ? .everyState : .unknown
    }
  }

  /// The name of the part: the stored properties at its start.
  @usableFromInline
  var label: LensLabel { prefix.isEmpty ? .unnamed : .named(prefix.joined(separator: ".")) }
}

/// The indices that are valid in an array on the way of a key path.
enum ObservedBounds: Equatable {
  case indices(Range<Int>)
  case unknown

  /// Whether each index that was valid in `former` is still valid.
  func cover(_ former: ObservedBounds) -> Bool {
    guard case .indices(let own) = self, case .indices(let former) = former else { return false }
    return own.contains(former) || own == former
  }

  /// Reads the bounds of the array at a path of stored properties.
  init(in state: Any, along path: [String]) {
    var value = state
    for name in path {
      guard let next = Mirror(reflecting: value).children.first(where: { $0.label == name }) else {
        self = .unknown
        return
      }
      value = next.value
    }
    if let list = value as? any RandomAccessCollection {
      self = Self.indices(of: list)
    } else {
      self = .unknown
    }
  }

  private static func indices(of list: some RandomAccessCollection) -> ObservedBounds {
    guard let start = list.startIndex as? Int, let end = list.endIndex as? Int else {
      return .unknown
    }
    return .indices(start..<end)
  }
}

/// The bounds of one array of the state, read once for all parts inside it.
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
