// The room `Streams`.
//
// Reading a state over time: streams and their operators, readers, observers, the order of deliveries.
//
// It may use: Internal, Optics.
//
// A store is a `StateHost` here: something that lends its `ObserverTable` under its lock.
