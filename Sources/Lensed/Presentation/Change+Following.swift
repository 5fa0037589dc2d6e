extension Change {
  /// The same change, for a reader that has shown the state before it.
  ///
  /// `didChange(_:)` is true of the first change that a reader is given, because most readers have shown nothing yet. Of
  /// this one it compares the values.
  public var following: Change {
    var change = self
    change.isFirst = false
    return change
  }
}
