/// When a `Persistence` writes.
public enum PersistenceWriting: Sendable, Hashable {
  /// When no kept part has been touched for a while, and at the latest some time after the first commit that is not
  /// on the disk. The writer looks each time `for` has passed, so a write comes after one to two times `for`.
  case debounced(for: Duration, atMost: Duration)
  /// At once, while no write is under way; what is committed meanwhile comes with the next one.
  case eachCommit

  /// The default: after 50 milliseconds without a commit, and at the latest after a second.
  public static var standard: PersistenceWriting {
    .debounced(for: .milliseconds(50), atMost: .seconds(1))
  }
}
