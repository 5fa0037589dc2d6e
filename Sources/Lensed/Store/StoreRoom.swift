// The room `Store`.
//
// The face of a store: `Store`, scopes, blueprints, the builder, the forms of `dispatch`, middleware as a protocol.
//
// It may use: Commits and below.
//
// Thin: nothing here decides what a commit does.
