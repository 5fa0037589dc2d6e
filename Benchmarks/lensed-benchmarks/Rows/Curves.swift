/// The cost of one dispatch as a size grows.
enum Curves {
  static var all: [Curve] {
    [
      Curve(
        "curve-sub-states", "sub-states in the store", unit: "sub-states",
        sizes: [2, 4, 16, 64, 256, 1_024], atMost: 1.3,
        lines: [Curve.Line("Lensed") { try ScaleRows.amongSubStates($0) }]
      ),
      Curve(
        "curve-observers", "observers of other sub-states", unit: "observers",
        sizes: [0, 10, 100, 1_000, 10_000], atMost: 1.3,
        lines: [Curve.Line("Lensed") { try ScaleRows.amongObservers($0) }]
      ),
      Curve(
        "curve-idle-readers", "idle async readers", unit: "readers",
        sizes: [0, 10, 100, 1_000, 10_000], atMost: 1.3,
        lines: [Curve.Line("Lensed") { try await ScaleRows.amongReaders($0) }]
      ),
      Curve(
        "curve-elements", "elements in the sub-state", unit: "elements",
        sizes: [100, 1_000, 10_000, 100_000, 1_000_000], atMost: 3,
        lines: [
          Curve.Line("Lensed") { try ScaleRows.amongElements($0) },
          Curve.Line("by hand") { ScaleRows.amongElementsByHand($0) },
        ]
      ),
      Curve(
        "curve-rows", "rows, and observers of each", unit: "rows",
        sizes: [10, 100, 1_000, 10_000, 100_000], atMost: 0.5, share: 0.35,
        lines: [
          Curve.Line("Lensed") { try DerivedRows.editingObserved(among: $0) },
          Curve.Line("an array, compared") { DerivedRows.editingByHand(among: $0) },
        ]
      ),
      Curve(
        "curve-versions", "rows, one edited while a version is held", unit: "rows",
        sizes: [10, 100, 1_000, 10_000, 100_000], atMost: 0.5, share: 0.35,
        lines: [
          Curve.Line("Entities, held") { VersionRows.editing($0, isHeld: true) },
          Curve.Line("Entities, not held") { VersionRows.editing($0, isHeld: false) },
          Curve.Line("an array, held") { VersionRows.editingArray($0) },
        ]
      ),
      Curve(
        "curve-derived-rows", "rows, one edited, all of them derived from",
        unit: "rows", sizes: [10, 100, 1_000, 10_000, 100_000], atMost: 0.5, share: 0.35,
        lines: [
          Curve.Line("derived") { try VersionRows.following($0) },
          Curve.Line("plain functions") { try VersionRows.filteringPlainly($0) },
        ]
      ),
      Curve(
        "curve-array", "actions in one array", unit: "actions",
        sizes: [1, 10, 100, 1_000, 10_000], atMost: 2,
        lines: [
          Curve.Line("Lensed") { try DispatchRows.dispatchingArrays(of: $0) },
          Curve.Line("by hand") { DispatchRows.loopingOverArrays(of: $0) },
        ]
      ),
      Curve(
        "curve-effects", "effects of other actions", unit: "effects",
        sizes: [0, 100, 1_000, 4_000], atMost: 1.3,
        lines: [Curve.Line("Lensed") { try EffectRows.amongEffects($0) }]
      ),
      Curve(
        "curve-stores", "stores, one after the other", unit: "stores",
        sizes: [1, 10, 100, 1_000, 10_000], atMost: 30,
        lines: [
          Curve.Line("Lensed") { try StoreRows.dispatching(amongStores: $0) },
          Curve.Line("by hand") { StoreRows.dispatchingByHand(amongStores: $0) },
        ]
      ),
      Curve(
        "curve-threads", "threads at once", unit: "threads",
        sizes: [1, 2, 4, 8, 16], atMost: 3, share: 0.25,
        lines: [
          Curve.Line("Lensed") { ThreadRows.dispatching(on: $0) },
          Curve.Line("by hand") { ThreadRows.byHand(on: $0) },
          Curve.Line("a POSIX mutex") { ThreadRows.onPOSIXMutex(by: $0) },
        ]
      ),
    ]
  }
}
