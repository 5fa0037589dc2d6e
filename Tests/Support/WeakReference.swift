/// A reference that keeps nothing alive, shared between closures and filled in later.
///
/// A reducer that is to misuse its own store needs a way to a store that is made after it.
public final class WeakReference<Object: AnyObject & Sendable>: Sendable {
  private struct Slot: Sendable {
    weak var object: Object?
  }

  private let slot = Fenced(Slot())

  /// A reference to an object, or to nothing yet.
  public init(_ object: Object? = nil) {
    refer(to: object)
  }

  /// The object, while it lives.
  public var object: Object? { slot.withLock(\.object) }

  /// Points the reference at an object.
  public func refer(to object: Object?) {
    slot.withLock { $0.object = object }
  }
}
