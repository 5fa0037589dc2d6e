// A plain `@inline(never)` is not enough: the optimiser might still infer that the result equals
// the argument. Only a function that is not optimised at all hides it.

/// Returns a value in a way that the optimiser cannot see through.
///
/// Do not use it for closures that are called while the clock runs: passing them through a generic
/// function wraps them in a thunk. They have sinks of their own, without type parameters.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

/// Uses a number in a way that the optimiser cannot see through, so that its computation is kept.
@inline(never) @_optimize(none)
func swallow(_ number: Int) {}
