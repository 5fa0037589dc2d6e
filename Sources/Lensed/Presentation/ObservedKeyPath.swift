/// What a key path shows of where its value lies, and of whether every state has it.
///
/// A key path is read at a commit only where that cannot fail: `\.rows[3]` traps when the third row has
/// gone. What kind of steps a key path has shows in its description alone, which says `<computed …>`
/// for a computed property and for a subscript alike. What is in doubt is taken for a subscript.
@usableFromInline
struct ObservedKeyPath {
  /// From which states the value can be read.
  enum Range {
    /// From every state: the steps are stored properties and optional chains, or one computed property.
    case everyState
    /// From those where the list, or dictionary, at `prefix` has what the one computed step asks for.
    case someStates
    /// That cannot be seen.
    case unknown
  }

  /// The stored properties that it begins with.
  let prefix: [String]
  let range: Range

  /// The steps of a key path.
  ///
  /// `isProperty` says that it is what comes after a dot, and so no subscript if it is a single step.
  @usableFromInline
  init(_ keyPath: AnyKeyPath, isProperty: Bool) {
    let (description, root) = ("\(keyPath)", "\\\(type(of: keyPath).rootType)")
    guard description.hasPrefix(root) else {
      (prefix, range) = ([], .unknown)
      return
    }
    let steps = Self.steps(in: description.dropFirst(root.count))
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

  /// How the part goes by: the property it begins with.
  @usableFromInline
  var label: LensLabel { prefix.isEmpty ? .unnamed : .named(prefix.joined(separator: ".")) }

  /// The steps of what follows the root in a description: names, `<…>`, `?` and `!`.
  private static func steps(in tail: Substring) -> [Substring] {
    var steps: [Substring] = []
    var (start, depth) = (tail.startIndex, 0)
    var last: Character = " "
    func end(_ index: Substring.Index) {
      if start < index { steps.append(tail[start..<index]) }
      start = index
    }
    for index in tail.indices {
      let character = tail[index]
      // The arrow of a function type closes nothing.
      if character == ">" && last != "-" { depth -= 1 }
      if depth == 0 && ".?!".contains(character) {
        end(index)
        if character == "." {
          start = tail.index(after: index)
        } else {
          end(tail.index(after: index))
        }
      }
      if character == "<" { depth += 1 }
      last = character
    }
    end(tail.endIndex)
    return steps
  }
}

/// Which indices and keys may be used with a list that a key path leads through.
enum ObservedBounds: Equatable {
  /// All: a dictionary gives nil for a key that it has not.
  case all
  case indices(Range<Int>)
  case unknown

  /// Whether what could be read within `former` can be read within these.
  func cover(_ former: ObservedBounds) -> Bool {
    switch (self, former) {
    case (.all, .all): true
    case (.indices(let own), .indices(let former)): own.contains(former) || own == former
    default: false
    }
  }

  /// Those of the list that a path of stored properties leads to.
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

/// What is read by key, or has nothing but computed properties that are always there.
private protocol Keyed {}
extension Dictionary: Keyed {}
extension Set: Keyed {}
extension String: Keyed {}

/// The bounds of one list of the state, looked at once for all parts that are read through it.
@usableFromInline
final class ObservedList {
  private let read: (StateAddress) -> ObservedBounds
  private var bounds: ObservedBounds?

  init(read: @escaping (StateAddress) -> ObservedBounds) {
    self.read = read
  }

  /// Forgets the bounds, before another state is looked at.
  func forget() { bounds = nil }

  func bounds(in state: StateAddress) -> ObservedBounds {
    if let bounds { return bounds }
    let new = read(state)
    bounds = new
    return new
  }
}
