// The room `Presentation`.
//
// From a state to a view that observes it.
//
// It may use: Store and below, Derived.
//
// Knows nothing of effects, middleware and history.
