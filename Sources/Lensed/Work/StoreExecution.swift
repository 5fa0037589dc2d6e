/// Where the tasks of a store run, if somebody has chosen it: `LensedTesting` does, to know when they rest.
package enum StoreExecution {
  /// The executor for the tasks of each store that is made while this has a value.
  @TaskLocal package static var current: (any TaskExecutor)?
}
