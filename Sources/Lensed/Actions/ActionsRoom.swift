// The room `Actions`.
//
// Actions as values: single ones, lists, sequences, actions for an element or for one of several instances, and
// the place where an action was dispatched; their texts, without what is `NotLogged`.
//
// It may use: Internal.
//
// Actions know neither reducers nor stores. A sequence is pulled into an `ActionSink`, which a store provides.
