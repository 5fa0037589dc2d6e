// The room `History`.
//
// The past of a store: undo, why a value is what it is, recorded sessions.
//
// It may use: Store and below.
//
// `History` and `SessionRecorder` are middleware that also record in the commit, under the lock.
