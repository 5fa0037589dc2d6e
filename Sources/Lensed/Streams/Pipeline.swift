/// One step of a stream: returns a value when the commit makes the step emit one.
///
/// Revision zero stands for a first value, and for a value that was pulled. One thread at a time calls the
/// operators of one pipeline, and never under a lock. So what an operator remembers lies in an `UnsafeCell`, which
/// that thread guards.
@usableFromInline
typealias Operator<Element> = @Sendable (_ revision: UInt64) -> Element?

/// The parts of states that the operators of one subscription, or one reader, are connected to.
///
/// A stream is a recipe. Each subscription and each iterator connects a pipeline of its own, so all of them are
/// independent. A reader pulls the parts when its task asks for a value; to a subscription, commits push
/// them.
@usableFromInline
struct Pipeline {
  /// A part and the store that it is of.
  private struct Connection: Sendable {
    let host: any StateHost
    let capture: PartCapture
  }

  /// The parts of one store, which are read in one critical section.
  struct StoreCaptures: Sendable {
    let host: any StateHost
    var captures: InlineList<PartCapture>
  }

  private var connections = InlineList<Connection>.none

  @usableFromInline
  init() {}

  /// Connects a part of a store's state.
  ///
  /// - Returns: The cell that operators take the values of the part from.
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
    connections.append(Connection(host: host, capture: capture))
  }

  /// The connected parts by store, in the order of their first connection.
  var stores: InlineList<StoreCaptures> {
    switch connections {
    case .none: return .none
    case .one(let only): return .one(StoreCaptures(host: only.host, captures: .one(only.capture)))
    case .several(let all):
      var stores: [StoreCaptures] = []
      for connection in all {
        if let known = stores.firstIndex(where: { $0.host === connection.host }) {
          stores[known].captures.append(connection.capture)
        } else {
          stores.append(StoreCaptures(host: connection.host, captures: .one(connection.capture)))
        }
      }
      return stores.count == 1 ? .one(stores[0]) : .several(stores)
    }
  }
}
