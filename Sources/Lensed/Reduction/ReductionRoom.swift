// The room `Reduction`.
//
// Reducers, mutators, asynchronous mutators and their results.
//
// It may use: Internal, Optics, Actions, Entities.
//
// A reducer becomes `ReducerCase`s: functions on addresses, one for each type of action. Nothing here runs them.
