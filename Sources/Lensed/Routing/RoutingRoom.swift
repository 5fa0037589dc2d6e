// The room `Routing`.
//
// From a type of action to the reducers that handle it: routes, the router, the cache, handlers.
//
// It may use: Ownership and below.
//
// The lock of the store guards all of it. A route lives until the owners or the listeners change.
