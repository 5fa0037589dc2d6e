/// The number of changes that wait for a reader of `changes`, at most.
public enum ChangeBuffering: Sendable, Hashable {
  /// Which end of a full buffer gives way.
  public enum End: Sendable, Hashable {
    /// The oldest change is dropped for the new one.
    case oldest
    /// The new change is dropped.
    case newest
  }

  /// All changes. While a reader does not read, the buffer grows with each commit.
  case unbounded
  /// At most this number, one or more.
  case bounded(Int, dropping: End)
}

/// A buffer that drops nothing, or counts what it drops, as a pure machine.
struct BufferMachine<Element> {
  private let limit: Int
  private let dropping: ChangeBuffering.End
  private var waiting = RingBuffer<(element: Element, dropped: Int)>()
  /// The number dropped from the front since the last `popFirst`.
  private var droppedInFront = 0
  /// The number dropped at the back since the last accepted element.
  private var droppedBehind = 0

  init(_ buffering: ChangeBuffering) {
    switch buffering {
    case .unbounded:
      (limit, dropping) = (.max, .oldest)
    case .bounded(let count, let end):
      guard count > 0 else {
        fatalError(
          "Lensed: changes(buffering:) was given room for \(count) changes. Give it room for one at "
            + "least; a reader that wants the newest state alone reads `states`.")
      }
      (limit, dropping) = (count, end)
    }
  }

  var isEmpty: Bool { waiting.isEmpty }

  /// Whether it may drop an element that is offered, rather than an older one.
  var mayRefuse: Bool { dropping == .newest }

  /// Whether it would drop an element that is offered now; only a `popFirst` changes that.
  var isRefusing: Bool { mayRefuse && waiting.count >= limit }

  /// Counts an element as dropped that was not even made, because the buffer was refusing.
  mutating func refuse() {
    droppedBehind += 1
  }

  /// Adds an element, and drops one when there is no room.
  ///
  /// - Returns: The dropped element, for the caller to release outside the lock.
  mutating func offer(_ element: Element) -> Element? {
    guard waiting.count >= limit else {
      waiting.append((element, droppedBehind))
      droppedBehind = 0
      return nil
    }
    switch dropping {
    case .newest:
      refuse()
      return element
    case .oldest:
      let oldest = waiting.popFirst()
      droppedInFront += (oldest?.dropped ?? 0) + 1
      waiting.append((element, 0))
      return oldest?.element
    }
  }

  /// Empties the buffer.
  ///
  /// - Returns: Its elements, for the caller to release outside the lock.
  mutating func removeAll() -> [Element] {
    waiting.removeAll().map(\.element)
  }

  /// Removes the oldest element, with the number of elements dropped between the last removed one and this.
  mutating func popFirst() -> (element: Element, dropped: Int)? {
    guard let next = waiting.popFirst() else { return nil }
    defer { droppedInFront = 0 }
    return (next.element, next.dropped + droppedInFront)
  }
}

extension BufferMachine: Sendable where Element: Sendable {}
