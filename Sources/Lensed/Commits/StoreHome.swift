/// The way back from a commit to its store; it does not keep the store alive.
struct StoreHome: Sendable {
  /// The core of the store, while it is there.
  private(set) weak var host: (any StateHost)?

  init(_ host: any StateHost) {
    self.host = host
  }
}
