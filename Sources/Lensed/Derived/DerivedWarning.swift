/// What is said of derived values that do more harm than good.
enum DerivedWarning {
  /// How many computations in a row have to come out equal.
  static var count: UInt32 { 8 }

  /// Says, in debug builds, that a derived value came out equal again and again.
  static func report(useless formula: DerivedFormula) {
    #if DEBUG
      StandardError.write(line: message(useless: formula))
    #endif
  }

  static func message(useless formula: DerivedFormula) -> String {
    """
    Lensed: \(formula.name) was computed \(count) times in a row and came out equal each time. \
    Derive it from a smaller part of the state, or from a derived value that changes less often.
    """
  }
}
