// The room `Middleware`.
//
// The middleware that ships: a logger and a throttle.
//
// It may use: Store and below.
//
// They use what any middleware can use.
