/// The longest wait: a hundred years.
///
/// The clocks of the system count nanoseconds in 64 bits, and trap when a deadline needs more.
private let longestWait = Duration.seconds(100 * 365 * 24 * 60 * 60)

/// The duration, or the longest wait if that is shorter.
package func waitable<D: DurationProtocol>(_ duration: D) -> D {
  guard let plain = duration as? Duration, plain > longestWait else { return duration }
  return longestWait as? D ?? duration
}
