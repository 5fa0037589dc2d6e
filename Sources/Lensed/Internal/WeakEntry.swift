/// A reference to an entry of a `KeyedTable` that does not keep it alive.
final class WeakEntry: Sendable {
  private struct Reference: Sendable { weak var entry: (any KeyedEntry)? }
  private let reference = Locked(Reference())

  var value: (any KeyedEntry)? {
    get { reference.withLock { $0.entry } }
    set { reference.withLock { $0.entry = newValue } }
  }
}
