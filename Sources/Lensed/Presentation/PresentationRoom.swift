// The room `Presentation`.
//
// From a state to a view: presenters, commands, dispatchers, observed stores.
//
// It may use: Store and below.
//
// Knows nothing of effects, middleware and history.
