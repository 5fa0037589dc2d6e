/// One part of one store's state, as something to be read again and again.
@usableFromInline
struct Source<Value: Sendable>: Sendable {
  /// What was captured of the part and has not been released.
  ///
  /// It belongs to the deliverer.
  @usableFromInline
  struct Mail {
    @usableFromInline
    var current: Value?
    @usableFromInline
    var revision: UInt64 = 0
    /// Whether more than one observer reads `current`.
    @usableFromInline
    var isShared = true

    @inlinable
    init() {}
  }

  @usableFromInline
  let host: any StateHost
  @usableFromInline
  let read: @Sendable (StateAddress) -> Value
  @usableFromInline
  let mail: UnsafeCell<Mail>
  @usableFromInline
  let outlet: Outlet

  @inlinable
  init(_ host: any StateHost, _ part: PartPath<Value>) {
    let (read, offset) = (part.read, part.offset)
    self.host = host
    self.read = read
    let mail = UnsafeCell(Mail())
    self.mail = mail
    // Guarded by the store's lock.
    let waiting = UnsafeCell(RingBuffer<(revision: UInt64, value: Value)>())
    outlet = Outlet(
      footprint: part.footprint,
      capture: { state, revision, isShared in
        if let offset {
          mail.value.current = state.advanced(by: offset).read(Value.self)
        } else {
          mail.value.current = read(state)
        }
        mail.value.revision = revision
        mail.value.isShared = isShared
      },
      queue: { state, revision in
        waiting.value.append((revision, read(state)))
      },
      promote: { revision in
        guard waiting.value.first?.revision == revision,
          let next = waiting.value.popFirst()
        else { return }
        mail.value.current = next.value
        mail.value.revision = revision
        mail.value.isShared = true
      },
      release: { mail.value.current = nil }
    )
  }

  /// The part as the given commit left it, if that commit touched it; called by the deliverer.
  @inlinable
  static func take(_ mail: UnsafeCell<Mail>, at revision: UInt64) -> Value? {
    guard mail.value.revision == revision else { return nil }
    return mail.value.isShared ? mail.value.current : mail.value.current.take()
  }
}
