/// The plumbing of one observer: made anew for each iterator and each subscription, so that every
/// one of them is independent.
///
/// A stream is a recipe that asks its wiring for the parts of the state it reads. An asynchronous
/// reader *pulls* them when it is asked for a value; a subscription has them *pushed* by commits.
@usableFromInline
struct Wiring {
  @usableFromInline
  enum Direction {
    case pull, push
  }

  @usableFromInline
  let direction: Direction
  var taps: [Tap] = []
  var inlets: [Inlet] = []

  @usableFromInline
  init(_ direction: Direction) {
    self.direction = direction
  }

  /// One part of the state, as a stage that gives it whenever it is fresh.
  @inlinable
  mutating func connect<Value>(_ source: Source<Value>) -> Stage<Value> {
    switch direction {
    case .pull:
      let tap = TypedTap(source)
      add(tap)
      return { _ in tap.take() }
    case .push:
      let first = UnsafeCell<Value?>(nil)
      let mail = source.mail
      add(
        Inlet(
          host: source.host, outlet: source.outlet,
          prime: { first.value = source.read($0) },
          hand: { revision in
            guard let value = Source.take(mail, at: revision) else { return nil }
            return { first.value = value }
          }
        ))
      return { revision in
        revision == 0 ? first.value.take() : Source.take(mail, at: revision)
      }
    }
  }

  @usableFromInline
  mutating func add(_ tap: Tap) { taps.append(tap) }
  @usableFromInline
  mutating func add(_ inlet: Inlet) { inlets.append(inlet) }
}

/// One step of a stream: gives a value when the commit makes it emit one.
///
/// It is told the number of the commit, or zero for a first value and for one that was pulled.
/// Called by one observer at a time, and never under a lock.
@usableFromInline
typealias Stage<Element> = (_ revision: UInt64) -> Element?

/// How a subscription is given one part of the state.
@usableFromInline
struct Inlet: Sendable {
  let host: any StateHost
  let outlet: Outlet
  /// Reads the part as it is, under the lock, for the stage to give with revision zero.
  let prime: @Sendable (_ state: StateAddress) -> Void
  /// What puts the part as the given commit left it in the place of a first value.
  let hand: @Sendable (_ revision: UInt64) -> (@Sendable () -> Void)?

  @usableFromInline
  init(
    host: any StateHost, outlet: Outlet, prime: @escaping @Sendable (_ state: StateAddress) -> Void,
    hand: @escaping @Sendable (_ revision: UInt64) -> (@Sendable () -> Void)?
  ) {
    self.host = host
    self.outlet = outlet
    self.prime = prime
    self.hand = hand
  }
}
