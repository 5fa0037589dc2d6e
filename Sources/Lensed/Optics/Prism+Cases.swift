extension Prism {
  /// A prism from a case of an enum and a function that matches it.
  ///
  /// ```swift
  /// let counter = Prism(AppAction.counter) { if case .counter(let action) = $0 { action } else { nil } }
  /// ```
  ///
  /// - Parameters:
  ///   - embed: The case, or another function that makes a root of a part.
  ///   - extract: Returns the part, or nil when the root is another case.
  public init(
    _ embed: @escaping @Sendable (Value) -> Root,
    _ extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(embed: embed, extract: extract)
  }
}
