// The optimiser sees through a plain `@inline(never)`: it may still infer that what comes out is
// what went in. Only code that it leaves alone altogether is a wall.

/// Hands a value back in a way that the optimiser cannot see through.
///
/// Closures that are called while the clock runs have walls of their own, without type parameters:
/// passing through this one would wrap them in a thunk that they would not have otherwise.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

/// Uses a number in a way that the optimiser cannot see through, so that its making is not dropped.
@inline(never) @_optimize(none)
func swallow(_ number: Int) {}
