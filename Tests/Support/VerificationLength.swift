internal import Foundation

/// How long the suites that search by repetition go on: every length in one place.
///
/// The environment variable `LENSED_VERIFICATION_FACTOR` multiplies all of them, for runs that may
/// take their time.
public enum VerificationLength {
  /// What all lengths are multiplied by; 1 unless the environment says otherwise.
  public static let factor: Int = {
    let text = ProcessInfo.processInfo.environment["LENSED_VERIFICATION_FACTOR"]
    return max(1, text.flatMap { Int($0) } ?? 1)
  }()

  /// A size that is there to be big: whole with the optimiser, and a twentieth of it without, where all takes ten times
  /// as long.
  public static func big(_ size: Int) -> Int { isOptimized ? size : size / 20 }

  /// How many differential programs are run.
  public static var programs: Int { (isOptimized ? 200 : 60) * factor }
  /// How many steps a differential program has.
  public static var programSteps: Int { 24 }
  /// How many rounds each "X returned, therefore never Y" has.
  public static var returnedRounds: Int { 1_500 * factor }
  /// After how long such rounds stop in any case, on a machine that is busy.
  public static var returnedTime: Duration { .milliseconds((isOptimized ? 400 : 200) * factor) }
  /// How many single calls are watched while writers never rest.
  public static var liveCalls: Int { 200 * factor }
  /// How many commits are made while subscribers come and go.
  public static var churnCommits: Int { 2_000 * factor }
  /// How many seeds the zoo of types is walked through with.
  public static var zooSeeds: Int { factor }
}
