/// The name of one step of a lens.
@usableFromInline
enum LensLabel: Sendable {
  /// Indirect, so that a label takes one word.
  indirect case named(String)
  case keyPath(any AnyKeyPath & Sendable)
  case unnamed
  /// The elements with these ids, each in the one before; the name is made when it is first read.
  case elements([AnyID])
  /// One element of the collection that the labels before it lead to.
  case row(RowLabel)
  /// The payload of one case of the enum that the labels before it lead to, by the identity of its prism.
  indirect case matching(PrismID)

  /// The property names along `labels`, or nil where one of them cannot be seen.
  static func path(_ labels: [LensLabel]) -> [String]? {
    var path: [String] = []
    for label in labels {
      switch label {
      case .unnamed:
        return nil
      case .row, .matching:
        // What follows lies in the row, and so in the collection; or in the payload, and so in the enum.
        return path
      case .named(let name):
        path += components(of: name)
      case .elements(let ids):
        path += ids.map { "[\($0)]" }
      case .keyPath(let keyPath):
        guard let names = names(in: keyPath) else { return nil }
        path += names
      }
    }
    return path
  }

  /// The names that the description of a key path of stored properties shows.
  ///
  /// The description is `\Root.first.second`, with `<computed …>`, `[…]`, `?` or `!` where a
  /// component is anything else. A raw identifier stands between backticks, and the element of a tuple
  /// without a label after two dots. It serves diagnostics and coverage, never identity.
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
  static func name(ofField label: String) -> String {
    components(of: label).joined(separator: ".")
  }

  /// Names as one dotted text; those that are no ordinary identifiers stand between backticks.
  ///
  /// An element, such as `[7]`, stands right behind its collection.
  static func text(_ components: [String]) -> String {
    var text = ""
    for name in components {
      let isElement = name.first == "[" && name.last == "]"
      if !isElement && !text.isEmpty { text += "." }
      let isOrdinary = name.allSatisfy { $0.isLetter || $0.isNumber || "_$".contains($0) }
      text += isElement || isOrdinary ? name : "`\(name)`"
    }
    return text
  }
}

extension LensLabel {
  /// The row that the labels lead to, or into, if there is one.
  static func row(in labels: InlineList<LensLabel>) -> RowLabel? {
    switch labels {
    case .none: break
    case .one(let label): if case .row(let row) = label { return row }
    case .several(let labels):
      for label in labels { if case .row(let row) = label { return row } }
    }
    return nil
  }

  /// The label, seen from a larger whole.
  @usableFromInline
  func moved(by distance: Int?) -> LensLabel {
    if case .row(let row) = self { .row(row.moved(by: distance)) } else { self }
  }
}

extension InlineList where Element == LensLabel {
  /// The labels of a part, `next` in the part that these lead to, which lies at `offset` if it has a fixed place.
  @inlinable
  func appending(_ next: InlineList, at offset: Int?) -> InlineList {
    if next.isEmpty { return self }
    if isEmpty && offset == 0 { return next }
    return InlineList(all + next.all.map { $0.moved(by: offset) })
  }
}

/// The names of the stored properties that a key path leads through; nil where it leads through anything else.
package func propertyNames(of keyPath: AnyKeyPath) -> [String]? { LensLabel.names(in: keyPath) }

// MARK: Rows

/// The name of one element of a collection, as the label of a path.
///
/// The footprint of the path has it too. From that the `ObserverTable` knows the interest of one row, whatever has it:
/// a stream, an effect, an observed store, an input of a derived value.
@usableFromInline
final class RowLabel: Sendable {
  /// The type of the collection.
  let collection: ObjectIdentifier
  /// Where the collection lies in the whole, if it has a fixed place.
  let bytes: Range<Int>?
  let hash: Int
  /// Lends the address of the id.
  private let lend: @Sendable (_ body: (StateAddress) -> Bool) -> Bool
  /// The id.
  let id: AnyID
  /// Whether the element has the id at an address, which is of the type of the collection's ids.
  let isOf: @Sendable (_ id: StateAddress) -> Bool

  /// The label of the element with an id, in a collection of a type.
  @usableFromInline
  init<ID: Hashable & Sendable>(
    _ id: ID, in collection: any Any.Type, at bytes: Range<Int>?
  ) {
    self.collection = ObjectIdentifier(collection)
    self.bytes = bytes
    hash = id.hashValue
    self.id = AnyID(id)
    lend = { body in StateAddress.reading(id, as: ID.self, body) }
    isOf = { other in other.edit(ID.self) { $0 == id } }
  }

  /// Whether two labels of collections of one type are of one element.
  func isSame(_ other: RowLabel) -> Bool { hash == other.hash && lend(other.isOf) }

  /// The same element, seen from a larger whole; `distance` is nil where that has no fixed place for it.
  func moved(by distance: Int?) -> RowLabel {
    RowLabel(
      copying: self,
      at: distance.flatMap { distance in
        bytes.map { ($0.lowerBound + distance)..<($0.upperBound + distance) }
      })
  }

  private init(copying other: RowLabel, at bytes: Range<Int>?) {
    (collection, hash, lend, isOf) = (other.collection, other.hash, other.lend, other.isOf)
    id = other.id
    self.bytes = bytes
  }
}
