import Foundation

/// A logarithmic scale: equal factors have equal distances.
struct LogScale {
  private let figures: ClosedRange<Double>
  private let places: ClosedRange<Double>
  private let isReversed: Bool
  /// Added to each figure, so that zero has a place on the scale.
  private let shift: Double

  init(
    _ figures: ClosedRange<Double>,
    onto places: ClosedRange<Double>,
    reversed: Bool = false,
    withZero: Bool = false
  ) {
    self.figures = figures
    self.places = places
    isReversed = reversed
    shift = withZero ? 1 : 0
  }

  func place(of figure: Double) -> Double {
    let low = log(figures.lowerBound + shift)
    let high = log(figures.upperBound + shift)
    let clamped = min(max(figure, figures.lowerBound), figures.upperBound)
    let share = high > low ? (log(clamped + shift) - low) / (high - low) : 0
    let length = places.upperBound - places.lowerBound
    return isReversed ? places.upperBound - share * length : places.lowerBound + share * length
  }
}
