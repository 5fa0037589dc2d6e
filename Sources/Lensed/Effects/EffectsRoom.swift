// The room `Effects`.
//
// Effects and features: triggers, policies over time, ties, and the running of asynchronous mutators.
//
// It may use: Store and below, Derived.
//
// An effect listens to commits, and submits jobs to a queue of the room of work.
