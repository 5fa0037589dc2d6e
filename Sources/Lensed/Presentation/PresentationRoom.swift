// The room `Presentation`.
//
// From a state to a view: presenters, commands, dispatchers, observed stores.
//
// It may use: Store and below, Derived.
//
// Knows nothing of effects, middleware and history.
