/// What stands between the braces of a store or a feature: a mutator, `Constant`, an effect, a feature.
///
/// The builder takes all of them by this one protocol, so that the compiler looks into the statement itself when
/// one does not compile: a misspelled key path is reported by its name.
///
/// Not for you to conform to.
public protocol StorePartConvertible<PartState> {
  /// The state that it is a part of.
  ///
  /// Arrays have it too, so it is not named as an app names its own.
  associatedtype PartState

  /// The parts; not for you to call.
  var storeParts: StoreParts<PartState> { get }
}

/// The parts that a statement between the braces of a store stands for.
///
/// A mutator is of any state, and a store of a `Sendable` one: so the parts are typed once the store is known.
public struct StoreParts<State> {
  /// Each a `StorePart<State>`, or the `Owner` of one.
  fileprivate let items: [any Sendable]
}

extension StoreParts where State: Sendable {
  init(_ parts: [StorePart<State>]) { items = parts }

  var all: [StorePart<State>] {
    items.map { item in
      if let owner = item as? Owner { return StorePart(owner: owner) }
      guard let part = item as? StorePart<State> else {
        fatalError("Lensed: the parts of another state were kept; this is a fault of Lensed.")
      }
      return part
    }
  }
}

extension StorePart: StorePartConvertible {
  /// The part itself; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([self]) }
}

extension Array: StorePartConvertible where Element: StorePartConvertible {
  /// The state that the elements are parts of.
  public typealias PartState = Element.PartState

  /// The parts of all elements, in order; not for you to call.
  public var storeParts: StoreParts<Element.PartState> {
    StoreParts(items: flatMap { $0.storeParts.items })
  }
}

extension Mutator: StorePartConvertible {
  /// The part that the mutator owns; not for you to call.
  public var storeParts: StoreParts<State> {
    StoreParts(items: [Owner(self)])
  }
}

extension Constant: StorePartConvertible {
  /// The part that is constant; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}
