/// An analysis of a key path: where its value lies, and whether it can be read in every state.
///
/// A key path is read after a commit only if the read cannot trap: `\.rows[3]` traps when `rows`
/// has become shorter. Only the description of a key path shows its steps. It says `<computed …>`
/// both for a computed property and for a subscript. One subscript is recognised by its functions: that of a dictionary
/// by a key. Any other computed step might trap in any state.
@usableFromInline
struct ObservedKeyPath {
  /// The stored properties at the start of the key path.
  let prefix: [String]
  /// Whether reading it never traps, as far as can be seen: the steps are stored properties, optional chains and keys of
  /// dictionaries, or one computed property.
  @usableFromInline
  let isSafe: Bool

  /// Analyses a key path.
  ///
  /// `isProperty` says that the key path was written after a dot, so a single step is a property; or an index of an
  /// array, which is recognised.
  @usableFromInline
  init(_ keyPath: AnyKeyPath, isProperty: Bool) {
    guard let steps = keyPath.shownSteps else {
      (prefix, isSafe) = ([], false)
      return
    }
    let names = steps.prefix { !$0.hasPrefix("<") && $0 != "?" && $0 != "!" }
    prefix = names == ["self"] ? [] : names.map(String.init)
    let doubtful = steps.filter { $0.hasPrefix("<") && !TrappingStep.readsByKey($0) }
    let isComputedProperty =
      isProperty && steps.count == 1 && !steps.contains { TrappingStep.readsByIndex($0) }
    isSafe = !steps.contains("!") && (doubtful.isEmpty || isComputedProperty)
  }

  /// The name of the part: the stored properties at its start.
  @usableFromInline
  var label: LensLabel { prefix.isEmpty ? .unnamed : .named(prefix.joined(separator: ".")) }
}
