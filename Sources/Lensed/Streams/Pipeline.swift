// How the operators of a stream are connected to stores. What `map`, `filter` and the others do stands in
// `StateStream.swift`.

/// One step of a stream: returns a value when the commit makes the step emit one.
///
/// Revision zero stands for a first value, and for one that a reader pulled when its task asked for it. One thread at a
/// time calls the operators of a pipeline, and never under a lock: it guards what an operator remembers in an
/// `UnsafeCell`.
@usableFromInline
typealias Operator<Element> = @Sendable (_ revision: UInt64) -> Element?

/// The parts of states that the operators of one subscription, or one reader, are connected to.
///
/// A stream is a recipe: each subscription and each iterator connects a pipeline of its own. A reader pulls the parts
/// when its task asks for a value; to a subscription, commits push them.
@usableFromInline
struct Pipeline {
  struct StoreCaptures: Sendable {
    let host: any StateHost
    var captures: InlineList<PartCapture>
  }

  /// The connected parts by store, in the order of their first connection.
  private(set) var stores = InlineList<StoreCaptures>.none

  @usableFromInline
  init() {}

  /// Connects a part of a store's state; returns the cell that operators take its values from.
  @inlinable
  mutating func connect<Value>(
    _ path: PartPath<Value>, of host: any StateHost
  ) -> CapturedPart<Value> {
    let part = CapturedPart(path)
    add(PartCapture(part, load: { part.load(from: $0, at: $1) }), of: host)
    return part
  }

  @usableFromInline
  mutating func add(_ capture: PartCapture, of host: any StateHost) {
    // Taken out, so that what is appended to has one reference.
    var known = exchange(&stores, with: .none).all
    if let index = known.firstIndex(where: { $0.host === host }) {
      known[index].captures.append(capture)
      stores = InlineList(known)
    } else {
      stores = InlineList(known)
      stores.append(StoreCaptures(host: host, captures: .one(capture)))
    }
  }
}

// MARK: Parts of several stores

extension StoreSubscription {
  /// Subscribes to parts of several stores: one observer for each store, and one queue for all their calls.
  ///
  /// Each store delivers in its own order, on its own threads; between stores there is no order to keep. The queue
  /// keeps the calls from overlapping; the subscriber holds it until it has made the first one.
  static func across(
    _ stores: [Pipeline.StoreCaptures], _ deliver: @escaping Observer.Deliver
  ) -> StoreSubscription {
    let queue = CallQueue()
    let handles = stores.compactMap { store in
      let captures = store.captures
      // The queue keeps the calls apart from the first on, so the observer has none of its own.
      let observer = Observer.subscribe(captures, on: store.host, queue: nil) { revision, handle in
        let call = Observer.stagedCall(revision, captures, handle, deliver)
        _ = queue.submit(call, of: store.host)
      }
      return observer?.handle
    }
    if let first = handles.first { deliver(0, first) }
    queue.run()
    return StoreSubscription(end: {
      for handle in handles { handle.close() }
      queue.close()
      for handle in handles { handle.cancel() }
    })
  }
}
