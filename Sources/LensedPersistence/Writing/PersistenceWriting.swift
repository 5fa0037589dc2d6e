/// When a `Persistence` writes.
public enum PersistenceWriting: Sendable, Hashable {
  /// When no kept part has been touched for so long, but at the latest so long after the first commit that is not
  /// on the disk. It is looked at each time `for` has passed, so a write comes after once to twice of it.
  case debounced(for: Duration, atMost: Duration)
  /// At once, while no write is under way; what is committed meanwhile comes with the next one.
  case eachCommit

  /// What is used unless something else is said: after 50 milliseconds without a commit, a second at most.
  public static var standard: PersistenceWriting {
    .debounced(for: .milliseconds(50), atMost: .seconds(1))
  }
}
