/// The forms that are not available for a key path that only reads.
///
/// They are there for the compiler alone. A misspelled property makes a key path that only reads, so without such a
/// form the compiler would report the conversion to a `WritableKeyPath`, or another form, and not the property.
enum ReadOnlyKeyPath {
  /// What such a form would do.
  static func refuse(_ keyPath: AnyKeyPath) -> Never {
    fatalError("Lensed: \(keyPath) only reads, and was to be written; this is a fault of Lensed.")
  }
}
