extension Action {
  /// The action inside of the outermost tag, or of the outermost id of an element; nil where there is none.
  private var inner: (any Action)? {
    (self as? any AnyTagged)?.untagged ?? (self as? any AnyElementAction)?.unaddressed
  }

  /// This action, and those inside of its tags and ids of elements, from the outside in.
  var layers: UnfoldFirstSequence<any Action> { sequence(first: self) { $0.inner } }
}
