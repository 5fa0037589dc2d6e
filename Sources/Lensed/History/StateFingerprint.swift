/// A short text for each property of a state, by which two states are told apart.
///
/// It is made by reflection, of any type of state, and is the same in every process. It looks at a bounded number of
/// values: equal fingerprints prove nothing about what lies behind those. Of objects and functions it knows the type.
package struct StateFingerprint: Sendable {
  package struct Part: Sendable {
    package let name: String
    package let sum: String
    /// Whether the sum is of something `NotLogged`, too: then it stays in the program.
    package let hides: Bool

    package init(name: String, sum: String, hides: Bool) {
      (self.name, self.sum, self.hides) = (name, sum, hides)
    }
  }

  /// The properties; of one that was written without its sum, the sum is empty.
  package let parts: [Part]
  /// How many values were looked at, at most.
  package let limit: Int

  /// A fingerprint that was written.
  package init(_ parts: [Part], limit: Int) { (self.parts, self.limit) = (parts, limit) }

  /// The fingerprint of a state, of at most `limit` values and at least 16 in each property.
  init(of state: Any, limit: Int) {
    self.limit = limit
    let mirror = Mirror(reflecting: state)
    let isWhole =
      mirror.displayStyle != .struct || mirror.children.isEmpty || state is any Collection
    let properties =
      isWhole ? [("state", state)] : mirror.children.map { ($0.label ?? "state", $0.value) }
    let share = max(16, limit / properties.count)
    parts = properties.map { name, value in
      var walk = Walk(left: share)
      walk.add(value)
      return Part(name: name, sum: String(walk.sum.value, radix: 16), hides: walk.hides)
    }
  }

  func differing(from other: StateFingerprint) -> [String] {
    let others = Dictionary(other.parts.map { ($0.name, $0.sum) }) { first, _ in first }
    let own = Set(parts.map(\.name))
    return parts.filter { !$0.sum.isEmpty && others[$0.name] != $0.sum }.map(\.name)
      + other.parts.map(\.name).filter { !own.contains($0) }
  }

  private struct Walk {
    var left: Int
    var sum = FNV1a()
    var hides = false

    mutating func add(_ value: Any) {
      left -= 1
      if left < 0 { return }
      hides = hides || value is any NotLogged
      if let text = value as? String {
        sum.add(text.utf8.count)
        return sum.add(String(text.prefix(256)))
      }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .class, .foreignReference: sum.add("\(mirror.subjectType)")
      case .set, .dictionary: addUnordered(mirror.children.lazy.map(\.value))
      case .struct: addStruct(value, mirror)
      case .none where mirror.children.isEmpty: sum.add(text(of: value))
      default: addChildren(mirror, of: value)
      }
    }

    private mutating func addStruct(_ value: Any, _ mirror: Mirror) {
      // How a collection keeps its elements is its own affair.
      guard let collection = value as? any Collection else { return addChildren(mirror, of: value) }
      // One that goes forward alone might be a set, whose order differs between equal ones.
      guard let elements = collection as? any BidirectionalCollection else {
        return addUnordered(collection)
      }
      sum.add(elements.count)
      for element in elements {
        if left <= 0 { return }
        add(element)
      }
    }

    private mutating func addChildren(_ mirror: Mirror, of value: Any) {
      if mirror.children.isEmpty { return sum.add(text(of: value)) }
      sum.add(mirror.children.count)
      for (label, child) in mirror.children {
        if left <= 0 { return }
        sum.add(label)
        add(child)
      }
    }

    /// The text of a value without parts: the same for all that are equal, and for all that are no number.
    private func text(of value: Any) -> String {
      guard let number = value as? any FloatingPoint else { return "\(value)" }
      return number.isNaN ? "nan" : number.isZero ? "0.0" : "\(value)"
    }

    /// Adds what is in any order; only the number, if there are more than may be looked at.
    private mutating func addUnordered(_ elements: some Collection) {
      let count = elements.count
      sum.add(count)
      if count > left { return }
      let share = max(1, left / max(1, count))
      left -= count
      var total: UInt64 = 0
      for element in elements {
        // As much of each, whichever comes first.
        var walk = Walk(left: share)
        walk.add(element)
        total &+= walk.sum.value
        hides = hides || walk.hides
      }
      sum.add(Int(truncatingIfNeeded: total))
    }
  }
}

extension FNV1a {
  fileprivate mutating func add(_ text: String?) {
    guard let text else { return add(-1) }
    add(text.utf8.count)
    mix(text)
  }

  fileprivate mutating func add(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      mix(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}

/// What a session knows of its states: 16 marks for each doubling of the number of commits, the first 32, and the end.
package struct SessionMarks: Sendable {
  package struct Mark: Sendable {
    package let commits: Int
    package let state: StateFingerprint

    package init(commits: Int, state: StateFingerprint) {
      (self.commits, self.state) = (commits, state)
    }
  }

  static let limit = 256

  package private(set) var all: [Mark] = []

  package init(_ all: [Mark] = []) { self.all = all }

  /// Whether the state after so many commits gets a mark.
  package static func isDue(after commits: Int) -> Bool {
    let octave = commits < 2 ? 0 : Int.bitWidth - 1 - commits.leadingZeroBitCount
    return commits & ((1 << max(0, octave - 4)) - 1) == 0
  }

  /// Adds a mark; threads may come in another order than their commits.
  package mutating func insert(_ mark: Mark) {
    if has(mark.commits) { return }
    all.insert(mark, at: (all.lastIndex { $0.commits < mark.commits }).map { $0 + 1 } ?? 0)
  }

  func has(_ commits: Int) -> Bool {
    let last = all.last { $0.commits <= commits }
    return last?.commits == commits
  }

  /// These marks, followed by those of a session whose first state comes after so many commits.
  func followed(by other: SessionMarks, after commits: Int) -> SessionMarks {
    SessionMarks(
      all + other.all.map { Mark(commits: $0.commits + commits, state: $0.state) })
  }
}

extension SessionMarks.Mark {
  package init(_ state: Any, after commits: Int) {
    self.init(
      commits: commits, state: StateFingerprint(of: state, limit: SessionMarks.limit))
  }
}

/// Where a replay left the session that it replayed.
public struct ReplayDifference: Sendable, Hashable, CustomStringConvertible {
  /// The number of the commit in the session, from 1, after which the state was first found to differ; 0 where the
  /// initial state does.
  public let commit: Int
  /// The last commit before it after which the state was found to be the same; nil where none was.
  public let lastAlike: Int?
  /// The properties that differ.
  public let properties: [String]

  init(_ mark: SessionMarks.Mark, _ properties: [String], lastAlike: Int?) {
    (commit, self.properties, self.lastAlike) = (mark.commits, properties, lastAlike)
  }

  /// What differs, and since when.
  public var description: String {
    let names = properties.map { "\(code: $0)" }.joined(separator: ", ")
    if commit == 0 { return "the replay began with another \(names) than was recorded." }
    let place =
      if let lastAlike, lastAlike < commit - 1 {
        "between commit \(lastAlike) and commit \(commit)"
      } else {
        "in commit \(commit)"
      }
    return "the replay left the recorded session \(place): \(names) is not what was recorded."
  }
}
