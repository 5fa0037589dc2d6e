// The room `Ownership`.
//
// Who owns which part of a state, and the proof that it fits: overlap, coverage, the errors of registration.
//
// It may use: Reduction and below.
//
// A check takes values and returns faults. Only a store decides what becomes of them.
