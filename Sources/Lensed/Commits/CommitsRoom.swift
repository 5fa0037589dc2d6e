// The room `Commits`.
//
// The core of a store: its lock, the fast path, the transaction, the listeners of commits, and `Change`.
//
// It may use: Routing, Streams, Work and below.
//
// `StoreCore.swift` has the life of a core, its mutable state and the guard of each part. A file here may use
// those that the path of a commit passes later, and none that it has passed: requests and listeners at the
// ground, then the core, the fast path, the transaction, and dispatching on top.
