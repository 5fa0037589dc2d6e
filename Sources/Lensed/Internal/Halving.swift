extension Range<Int> {
  /// The first number that satisfies a condition, which all later ones satisfy, too; the upper bound if none does.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
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
