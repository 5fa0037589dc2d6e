/// Whether the tests were compiled with the optimiser.
///
/// Code that is not optimised boxes what closures hand to each other, so debug builds count more allocations.
public var isOptimized: Bool {
  #if DEBUG
    false
  #else
    true
  #endif
}
