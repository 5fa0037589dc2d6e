/// The way back from a commit to its store; it does not keep the store alive.
final class StoreHome: Sendable {
  /// The core of the store, while it is there.
  weak let host: (any StateHost)?

  init(_ host: any StateHost) {
    self.host = host
  }
}
