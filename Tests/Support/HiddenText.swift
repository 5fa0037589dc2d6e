/// A text that reflection cannot look into: it differs by `==` alone.
public struct HiddenText: Sendable, Equatable {
  private final class Storage: Sendable {
    let value: String
    init(_ value: String) { self.value = value }
  }

  private let storage: Storage

  /// A text.
  public init(_ value: String) { storage = Storage(value) }

  /// Whether two texts are equal.
  public static func == (left: HiddenText, right: HiddenText) -> Bool {
    left.storage.value == right.storage.value
  }
}
