/// The judgement of a pair's result.
enum Verdict: String, Codable {
  /// The ratio reaches the aim.
  case aim
  /// The ratio is within the target.
  case met
  /// The ratio misses the target, but stays within the head-room of a quick run.
  case tolerated
  /// The ratio misses the target.
  case missed
  /// A side allocates more often than it may.
  case allocates
  /// The pair has no target.
  case noted

  var isFailure: Bool { self == .missed || self == .allocates }
}
