internal import Synchronization

private let lastNumber = Atomic<UInt64>(0)

/// A number that was never given before: for a prism, an owner, a use of a feature.
@usableFromInline
func makeUniqueNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

// MARK: The longest wait

/// A hundred years: the clocks of the system trap when the nanoseconds of a deadline need more than 64 bits.
private let longestWait = Duration.seconds(100 * 365 * 24 * 60 * 60)

/// The duration, or the longest wait if that is shorter.
package func waitable<D: DurationProtocol>(_ duration: D) -> D {
  guard let plain = duration as? Duration, plain > longestWait else { return duration }
  return longestWait as? D ?? duration
}

// MARK: Ranges

extension Range<Int> {
  func moved(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }

  /// The first number that satisfies a condition, which all later ones satisfy, too; the upper bound if none does.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  @inline(__always)
  func partitioningIndex<Failure: Error>(
    where belongsToSecondPart: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try belongsToSecondPart(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

// MARK: A sum of bytes

/// FNV-1a of 64 bits, the same in every process; it shows accidents, not attacks.
package struct FNV1a {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func mix(_ text: String) {
    for byte in text.utf8 { mix(byte) }
  }

  mutating func mix(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
