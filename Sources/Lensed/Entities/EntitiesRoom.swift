// The room `Entities`.
//
// Ordered collections of identifiable elements, with look-up by id.
//
// It may use: Nothing.
//
// Plain values, usable without a store.
