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
  private enum Content {
    case owner(Owner)
    /// An array of `StorePart<State>`.
    case typed(any Sendable)
    case several([StoreParts])
  }

  private let content: Content

  init(owner: Owner) {
    content = .owner(owner)
  }

  /// Those of several statements, in order.
  init(joining parts: [StoreParts]) {
    content = .several(parts)
  }
}

extension StoreParts where State: Sendable {
  init(_ parts: [StorePart<State>]) {
    content = .typed(parts)
  }

  var all: [StorePart<State>] {
    switch content {
    case .owner(let owner): return [StorePart(owner: owner)]
    case .several(let parts): return parts.flatMap { $0.all }
    case .typed(let parts):
      guard let parts = parts as? [StorePart<State>] else {
        fatalError("Lensed: the parts of another state were kept; this is a fault of Lensed.")
      }
      return parts
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
    StoreParts(joining: map { $0.storeParts })
  }
}

extension Mutator: StorePartConvertible {
  /// The part that the mutator owns; not for you to call.
  public var storeParts: StoreParts<State> {
    StoreParts(owner: Owner(footprint: lens.footprint, cases: cases, site: site))
  }
}

extension Constant: StorePartConvertible {
  /// The part that is constant; not for you to call.
  public var storeParts: StoreParts<State> { StoreParts([StorePart(self)]) }
}
