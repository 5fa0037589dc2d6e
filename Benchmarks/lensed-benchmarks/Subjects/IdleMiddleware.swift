import Lensed

/// Middleware that does nothing.
struct IdleMiddleware<State: Sendable>: Middleware {}
