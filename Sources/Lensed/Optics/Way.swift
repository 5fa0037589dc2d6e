/// The way to a part of the state, step by step from the outside in: it says which part, and reads nothing.
///
/// From the steps follow its name, whether it can be told from others, and whether it comes and goes.
@usableFromInline
struct Way: Sendable {
  /// One step; it takes one word, so that a way of one step allocates nothing.
  enum Step: Sendable {
    /// A function, or a lens that was given a name, told from all others by a number; copies of the lens share it.
    ///
    /// The first case has no tag in its word: a leak check does not see a lens in a constant by a tagged one.
    indirect case function(UInt64, name: String? = nil)
    /// A property, by the name that its key path shows.
    indirect case property(String)
    case keyPath(any AnyKeyPath & Sendable)
    /// A function of the user's.
    case unnamed
    /// The value of an optional.
    case optional
    /// The payload of one case of an enum, by the identity of its prism.
    case matching(PrismID)
    /// Any element of a collection.
    case element(byOffset: Bool)
    /// One element of a collection.
    case row(Row)
    /// The elements with these ids, each in the one before; the name is made when it is first read.
    case elements([AnyID])
  }

  let steps: InlineList<Step>

  init(_ steps: InlineList<Step>) { self.steps = steps }

  @usableFromInline
  init(_ keyPath: any AnyKeyPath & Sendable) { self.init(.one(.keyPath(keyPath))) }

  /// The way of a lens to a property by its name, in which dots separate nested ones; nil for one that cannot be seen.
  @usableFromInline
  init(named name: String?) { self.init(.one(.function(makeUniqueNumber(), name: name))) }

  @usableFromInline
  static var whole: Way { Way(.none) }

  @usableFromInline
  static var unnamed: Way { Way(.one(.unnamed)) }

  func appending(_ step: Step) -> Way { Way(InlineList(steps.all + [step])) }

  /// The way to one case of an enum.
  @usableFromInline
  func appending<Whole, Part>(_ prism: Prism<Whole, Part>) -> Way {
    appending(.matching(prism.id))
  }

  /// The way to the element with an id, in the collection of a type that this one leads to.
  @usableFromInline
  func appending<ID: Hashable & Sendable>(
    _ id: ID, in collection: any Any.Type, at bytes: Range<Int>?
  ) -> Way {
    appending(.row(Row(id, in: collection, at: bytes)))
  }

  /// The way to a part, `next` in the part that this one leads to, which lies at `offset` if it has a fixed place.
  @usableFromInline
  func appending(_ next: Way, at offset: Int? = nil) -> Way {
    if next.isEmpty { return self }
    if isEmpty && offset == 0 { return next }
    return Way(InlineList(steps.all + next.steps.all.map { $0.moved(by: offset) }))
  }

  var isEmpty: Bool { steps.isEmpty }

  /// The row that it leads to, or into, if there is one.
  var row: Row? {
    switch steps {
    case .none: break
    case .one(let step): if case .row(let row) = step { return row }
    case .several(let steps):
      for step in steps { if case .row(let row) = step { return row } }
    }
    return nil
  }

  /// The rows on the way, from the outside in.
  var rows: [Row] { steps.all.compactMap { if case .row(let row) = $0 { row } else { nil } } }

  var prism: PrismID? { if case .matching(let prism) = steps.all.last { prism } else { nil } }

  /// How many steps of it lead to a part that comes and goes.
  var childCount: Int { steps.all.count(where: \.comesAndGoes) }

  /// The collections on the way of which any element is meant.
  var elements: ElementDepth {
    steps.all.reversed().reduce(.none) { depth, step in
      if case .element(let byOffset) = step { depth.inside(byOffset: byOffset) } else { depth }
    }
  }
}

/// How many collections deep elements are named, and in which of these by their offsets: an offset may be the id of
/// another element.
struct ElementDepth: Sendable, Equatable {
  private(set) var count: Int32
  /// A bit for each collection, the outermost one in the lowest.
  private var offsets: UInt32 = 0

  static let none = ElementDepth(count: 0)
  /// Deeper than any, and in agreement with all: that of no actions.
  static let unlimited = ElementDepth(count: .max)

  /// The same in an element of a collection; no more than 32 count.
  func inside(byOffset: Bool) -> ElementDepth {
    ElementDepth(count: min(count + 1, 32), offsets: offsets << 1 | (byOffset ? 1 : 0))
  }

  /// As deep as both name the elements in one way.
  func common(with other: ElementDepth) -> ElementDepth {
    if self == .unlimited { return other }
    if other == .unlimited { return self }
    let agreed = Int32((offsets ^ other.offsets).trailingZeroBitCount)
    return ElementDepth(count: min(count, other.count, agreed), offsets: offsets)
  }

  /// No deeper than this.
  func upTo(_ limit: Int32) -> ElementDepth {
    ElementDepth(count: min(count, limit), offsets: offsets)
  }

  /// Whether it names the elements in all these collections.
  func covers(_ other: ElementDepth) -> Bool { common(with: other).count == other.count }
}

// MARK: Whether two are the same

extension Way {
  /// The steps to be compared: a lens of functions is the same step as its copies, and no other, whatever its name.
  var distinctSteps: [Step] {
    steps.all.map { step in
      if case .function = step { return step }
      return step.canBeFound ? step : .function(makeUniqueNumber())
    }
  }

  /// The same, with each property by its name, and each prism of a composition by itself; a function is no step of
  /// another use.
  var distinctProperties: [Step] {
    steps.all.flatMap { step in
      switch step {
      case .keyPath: step.names.map(Self.properties) ?? [.function(makeUniqueNumber())]
      case .matching(let prisms): Self.prisms(prisms)
      default: [step.canBeFound ? step : .function(makeUniqueNumber())]
      }
    }
  }

  static func properties(_ names: [String]) -> [Step] { names.map { .property(text([$0])) } }

  static func prisms(_ prisms: PrismID) -> [Step] { prisms.map { .matching([$0]) } }
}

extension Way.Step: Hashable {
  /// Whether an equal step leads to the same part, each time that it is made.
  var canBeFound: Bool {
    switch self {
    case .property, .unnamed, .function, .elements: false
    case .keyPath, .optional, .matching, .element, .row: true
    }
  }

  /// Whether it leads to a part that comes and goes, or to one of many.
  var comesAndGoes: Bool {
    switch self {
    case .optional, .matching, .element, .row: true
    case .property, .keyPath, .unnamed, .function, .elements: false
    }
  }

  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.property(let left), .property(let right)): left == right
    case (.keyPath(let left), .keyPath(let right)): left as AnyKeyPath == right
    case (.function(let left, _), .function(let right, _)): left == right
    case (.matching(let left), .matching(let right)): left == right
    case (.element(let left), .element(let right)): left == right
    case (.row(let left), .row(let right)): left == right
    case (.elements(let left), .elements(let right)): left == right
    case (.unnamed, .unnamed), (.optional, .optional): true
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .property(let name): hasher.combine(name)
    case .function(let number, _): hasher.combine(number)
    case .matching(let prism): hasher.combine(prism)
    case .row(let row): hasher.combine(row)
    case .elements(let ids): hasher.combine(ids)
    // The hash of a key path is slow; an object is seldom seen from several places.
    case .keyPath, .unnamed, .optional, .element: break
    }
  }

  /// The step, seen from a larger whole.
  fileprivate func moved(by distance: Int?) -> Self {
    if case .row(let row) = self { .row(row.moved(by: distance)) } else { self }
  }
}

// MARK: Names

extension Way {
  /// The property names down to the first child on the way, in which all that follows lies; nil where one cannot be
  /// seen.
  var names: [String]? {
    var names: [String] = []
    for step in steps.all {
      if step.comesAndGoes { return names }
      guard let own = step.names else { return nil }
      names += own
    }
    return names
  }

  /// What messages call the child with some ids: `rows[7].detail`; empty for the whole, three dots for missing ids.
  ///
  /// The value of an optional, or the payload of a case, is called as its parent is.
  func text(_ ids: [AnyID] = []) -> String {
    var (text, rest) = ("", ids[...])
    for step in steps.all {
      if case .element = step {
        text += "[\(rest.popFirst()?.description ?? "…")]"
      } else if let names = step.names {
        if !names.isEmpty {
          // An element stands right behind its collection.
          let isElement = names[0].first == "["
          text += (text.isEmpty || isElement ? "" : ".") + Self.text(names)
        }
      } else {
        text += text.isEmpty ? "an unnamed part" : ".…"
      }
    }
    return text
  }

  /// The names that the description of a key path of stored properties shows; for diagnostics and coverage, never
  /// identity.
  ///
  /// It is `\Root.first.second`, with `<computed …>`, `[…]`, `?` or `!` where a component is anything else. A raw
  /// identifier stands between backticks, and the element of a tuple without a label after two dots.
  static func names(in keyPath: AnyKeyPath) -> [String]? {
    guard let tail = keyPath.shownTail else { return nil }
    // A property may have that name, too.
    let isWhole = type(of: keyPath).rootType == type(of: keyPath).valueType
    if tail.isEmpty || (tail == ".self" && isWhole) { return [] }
    var isQuoted = false
    for character in tail {
      if character == "`" { isQuoted.toggle() }
      if !isQuoted && "<>[]?! ".contains(character) { return nil }
    }
    return components(of: String(tail))
  }

  /// The names in a dotted text; a dot between backticks is part of a name, and they are not.
  static func components(of text: String) -> [String] {
    var components: [String] = []
    var name = ""
    var isQuoted = false
    for character in text {
      switch character {
      case "`": isQuoted.toggle()
      // Names at run time have it in place of the spaces in a raw identifier.
      case "\u{a0}": name.append(" ")
      case "." where !isQuoted:
        if !name.isEmpty { components.append(name) }
        name = ""
      default: name.append(character)
      }
    }
    return name.isEmpty ? components : components + [name]
  }

  /// The name in the label that reflection gives a field, as key paths have it.
  static func name(ofField label: String) -> String { components(of: label).joined(separator: ".") }

  /// Names as one dotted text: no ordinary identifiers between backticks, an element, such as `[7]`, behind its
  /// collection.
  static func text(_ names: [String]) -> String {
    var text = ""
    for name in names {
      let isElement = name.first == "[" && name.last == "]"
      if !isElement && !text.isEmpty { text += "." }
      let isOrdinary = name.allSatisfy { $0.isLetter || $0.isNumber || "_$".contains($0) }
      text += isElement || isOrdinary ? name : "`\(name)`"
    }
    return text
  }
}

extension Way.Step {
  /// The names of the properties that it leads through; none for a child, nil where they cannot be seen.
  var names: [String]? {
    switch self {
    case .property(let name): Way.components(of: name)
    case .function(_, let name): name.map(Way.components)
    case .keyPath(let keyPath): Way.keptNames(in: keyPath)
    case .elements(let ids): ids.map { "[\($0)]" }
    case .unnamed: nil
    case .optional, .matching, .element, .row: []
    }
  }
}

extension Way {
  /// Names, and the key path that shows them: held, so that no other object takes over its identity.
  private typealias Shown = (names: [String], keyPath: any AnyKeyPath & Sendable)

  private static let shown = Locked<[ObjectIdentifier: Shown]>([:])

  /// The names that a key path shows, kept by its object: describing one takes 15,000 instructions, and a literal is
  /// one object as long as the program runs.
  fileprivate static func keptNames(in keyPath: any AnyKeyPath & Sendable) -> [String]? {
    let key = ObjectIdentifier(keyPath)
    if let known = shown.withLock({ $0[key]?.names }) { return known }
    // One that shows no names may hold what a user gave a subscript, and is not kept.
    guard let names = names(in: keyPath as AnyKeyPath) else { return nil }
    var forgotten: [ObjectIdentifier: Shown] = [:]
    shown.withLock { shown in
      // A key path that is made at run time is a new object each time: then all are forgotten.
      if shown.count >= 1_000 { swap(&shown, &forgotten) }
      shown[key] = (names, keyPath)
    }
    return names
  }
}

/// The names of the stored properties that a key path leads through; nil where it leads through anything else.
package func propertyNames(of keyPath: AnyKeyPath) -> [String]? { Way.names(in: keyPath) }

// MARK: Rows

extension Way {
  /// One element of a collection, on the way of a path; from it the `ObserverTable` knows the interest of one row.
  final class Row: Hashable, Sendable {
    let collection: ObjectIdentifier
    /// Where the collection lies in the whole, if it has a fixed place.
    let bytes: Range<Int>?
    let hash: Int
    private let lend: @Sendable (_ body: (StateAddress) -> Bool) -> Bool
    let id: AnyID
    /// Whether the element has the id at an address, which is of the type of the collection's ids.
    let isOf: @Sendable (_ id: StateAddress) -> Bool

    init<ID: Hashable & Sendable>(_ id: ID, in collection: any Any.Type, at bytes: Range<Int>?) {
      self.collection = ObjectIdentifier(collection)
      self.bytes = bytes
      hash = id.hashValue
      self.id = AnyID(id)
      lend = { body in StateAddress.reading(id, as: ID.self, body) }
      isOf = { other in other.edit(ID.self) { $0 == id } }
    }

    private init(copying other: Row, at bytes: Range<Int>?) {
      (collection, hash, lend, isOf) = (other.collection, other.hash, other.lend, other.isOf)
      id = other.id
      self.bytes = bytes
    }

    /// Whether both are one element of a collection, which may lie in two places.
    static func == (left: Row, right: Row) -> Bool {
      left.collection == right.collection && left.hash == right.hash && left.lend(right.isOf)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The same element, seen from a larger whole; `distance` is nil where that has no fixed place for it.
    fileprivate func moved(by distance: Int?) -> Row {
      Row(copying: self, at: distance.flatMap { bytes?.moved(by: $0) })
    }
  }
}

// MARK: A child that is not there

/// Where a child is, or would be; its text describes ids of users' types, and so is made without the lock of the store.
struct ChildPlace: Sendable {
  private let way: Way
  private let ids: [AnyID]

  /// The place of a child on a way with some ids, by its number; children are counted from the outside in.
  init(_ number: Int, on way: Way, ids: [AnyID]) {
    var count = 0
    let steps = way.steps.all.prefix { step in
      if count == number { return false }
      if step.comesAndGoes { count += 1 }
      return true
    }
    (self.way, self.ids) = (Way(InlineList(Array(steps))), ids)
  }

  /// Whether it is that of an element, and not of what might be in one.
  var isElement: Bool { if case .element = way.steps.all.last { true } else { false } }

  /// All of its path: `rows[7].sheet`.
  var text: String { way.text(ids) }
}

// MARK: Ids

/// The id of an element, whatever its type.
///
/// Ids of two types are never equal: a cast would take `7` for `Optional(7)`, and one empty array for any other.
///
/// Comparing and hashing it is code of the user's: under the lock of a store, as lenses are, or under no lock.
@usableFromInline
struct AnyID: Hashable, Sendable, CustomStringConvertible {
  let value: any Hashable & Sendable

  @usableFromInline
  init(_ value: any Hashable & Sendable) { self.value = value }

  @usableFromInline
  var description: String { "\(id: value)" }

  @usableFromInline
  static func == (left: AnyID, right: AnyID) -> Bool {
    func isEqual<Left: Hashable>(_ left: Left) -> Bool {
      func isEqual<Right: Hashable>(to right: Right) -> Bool {
        Left.self == Right.self && right as? Left == left
      }
      return isEqual(to: right.value)
    }
    return isEqual(left.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
