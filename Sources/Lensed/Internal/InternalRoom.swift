// The room `Internal`.
//
// The ground: the lock, addresses, small containers, what no text is to show.
//
// It may use: Nothing.
//
// Every unsafe or unchecked spot of the module lies here and states the invariant that makes it sound. The other
// rooms use the types, and never a pointer.
