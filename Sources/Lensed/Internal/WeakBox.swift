/// A reference that does not keep its object alive.
final class WeakBox<Object: AnyObject & Sendable>: Sendable {
  private struct Reference: Sendable { weak var object: Object? }
  private let reference = Locked(Reference())

  var value: Object? {
    get { reference.withLock { $0.object } }
    set { reference.withLock { $0.object = newValue } }
  }
}
