/// Returns the value in an existential if its type is exactly `type`, as the runtime compares two words.
///
/// A cast finds more, such as a subclass or a wrapped optional, and searches for it each time.
@usableFromInline
func exactly<Value>(_ value: any Sendable, _ type: Value.Type) -> Value? {
  func read<Held: Sendable>(_ held: Held) -> Value? {
    Held.self == type ? StateAddress.reading(held, as: Held.self) { $0.read(type) } : nil
  }
  return read(value)
}
