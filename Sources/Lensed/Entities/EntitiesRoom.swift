// The room `Entities`.
//
// Ordered collections of identifiable elements, with look-up by id, whose versions share what they have in common.
//
// It may use: Internal.
//
// Plain values, usable without a store.
