// A sequence that is dispatched is pulled by code for its type and for the sink of a store. Through `any ActionSink`, as
// in a list, an element that comes at once costs twice as much.

extension AsyncActions where Base: AsyncSequence, Base.Element: Action {
  /// The elements of a sequence that is dispatched by itself.
  @inlinable
  init(dispatched base: Base) {
    self.init(base: base) { sink in
      guard let sink = sink as? StoreSink else { return try await base.pull(into: sink) }
      try await base.pull(into: sink)
    }
  }
}

extension AsyncActions where Base: AsyncSequence, Base.Element == any Action {
  /// The elements of a sequence that is dispatched by itself.
  @inlinable
  init(dispatched base: Base) {
    self.init(base: base) { sink in
      guard let sink = sink as? StoreSink else { return try await base.pull(into: sink) }
      try await base.pull(into: sink)
    }
  }
}
