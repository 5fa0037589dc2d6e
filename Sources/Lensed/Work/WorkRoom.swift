// The room `Work`.
//
// What is under way: the tree of works, queues of jobs, cancellation, waiting, deadlocks.
//
// It may use: Internal, Actions.
//
// A store is a `WorkStore` here: something that registers roots and can wait for its commit.
