// The room `History`.
//
// The past of a store: undo, recorded sessions, journals, snapshots.
//
// It may use: Store and below.
//
// `History` and `SessionRecorder` are middleware that also record in the commit, under the lock.
