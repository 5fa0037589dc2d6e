extension Suite {
  /// All benchmarks.
  ///
  /// Add a new one to one of these lists.
  static var everything: Suite {
    Suite(
      pairs: DispatchRows.pairs + SequenceRows.pairs + ScaleRows.pairs + ReaderRows.pairs
        + EffectRows.pairs + MiddlewareRows.pairs + ThreadRows.pairs + ObservedRows.pairs
        + ReadRows.pairs + CrowdRows.pairs + CompanyRows.pairs + GrowthRows.pairs
        + StoreRows.pairs
        + DerivedRows.pairs + FeatureRows.pairs + EntityRows.pairs + VersionRows.pairs
        + PersistenceRows.pairs,
      curves: Curves.all,
      rates: ThreadRows.rates + ReaderRows.rates,
      memory: MemoryRows.all + VersionRows.memory + PersistenceRows.memory
    )
  }
}
