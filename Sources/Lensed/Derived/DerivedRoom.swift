// The room `Derived`.
//
// Values that are computed of a state: what they are made of, what a store keeps of them, when they are computed.
//
// It may use: Store and below.
//
// A `DerivedFormula` says how a value is computed, once for all stores. A `DerivedNode` is what one store keeps of
// it. A `DerivedEvaluation` brings a node, and the nodes that it depends on, up to one commit.
