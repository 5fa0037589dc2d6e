/// What to think of a pair's figures.
enum Verdict: String, Codable {
  /// The aim is reached.
  case aim
  /// The ratio is at most what it has to be.
  case met
  /// The ratio is above that, by less than the head-room that was asked for.
  case tolerated
  case missed
  /// There are allocations where there have to be none.
  case allocates
  /// There is nothing to judge by.
  case noted

  var isFailure: Bool { self == .missed || self == .allocates }
}
