// The room `Work`.
//
// What is under way: the tree of works, queues of jobs, cancellation, waiting, deadlocks.
//
// It may use: Internal, Actions.
//
// A store is a `WorkStore` here: something that registers roots and can wait for its commit. The operation of a
// job is an `Operation`.
//
// From the ground up:
//
// - the vocabulary: `WorkRelation`, `WorkExtent`, `WorkOutcome`, `WorkLabel`, `Cancellation`
// - `WorkMachine`, the pure state machine of one work, and `WorkNode`, which keeps it under a lock
// - `CancellationPass`: revoking works, and stopping them
// - `Finish.swift`: when a work is finished, and who waits for that
// - `WaitGraph`, which finds waits that could never end
// - `EffectPolicy`, as users write it; `JobQueueMachine`: which job runs, and which waits for its turn; `JobQueue`, which has
//   them do so
// - `DispatchTask`, the public face
