internal import Synchronization

/// Marks an observed store as out of date, from any thread.
///
/// 1. A delivering thread marks the flag after a commit touched an observed property.
/// 2. If the flag was clear and the observed store is not dispatching, that thread schedules a
///    flush on the main actor. It is the only one to do so until the flag is cleared.
/// 3. If the observed store is dispatching, nothing is scheduled: the dispatcher flushes once, at its
///    end. If the flag is marked again after that, the dispatcher schedules a flush as the dispatch ends.
/// 4. Both facts are bits of one atomic byte, and each change of it acquires and releases. So a
///    mark is either seen as the dispatch ends or finds it ended, whichever thread sets it.
///
/// So a commit of the observed store itself schedules nothing.
@usableFromInline
final class DirtyFlag: Sendable {
  /// The bit that says that an observed property was touched since the last flush began.
  private static var dirty: UInt8 { 1 }
  /// The bit that says that the observed store is dispatching.
  private static var dispatching: UInt8 { 2 }

  private let flags = Atomic<UInt8>(0)

  /// Marks the observed store as out of date; from any thread.
  ///
  /// - Returns: Whether the caller has to schedule a flush.
  func mark() -> Bool {
    flags.bitwiseOr(Self.dirty, ordering: .acquiringAndReleasing).oldValue == 0
  }

  /// Begins a dispatch of the observed store.
  ///
  /// - Returns: Whether this is the outermost dispatch.
  @usableFromInline
  func beginDispatch() -> Bool {
    let old = flags.bitwiseOr(Self.dispatching, ordering: .acquiringAndReleasing).oldValue
    return old & Self.dispatching == 0
  }

  /// Clears the mark, before a flush.
  func clear() {
    flags.bitwiseAnd(~Self.dirty, ordering: .acquiringAndReleasing)
  }

  /// Ends the outermost dispatch, unless the flag is marked.
  ///
  /// - Returns: Whether the dispatch ended; otherwise the caller has to flush, and then to end it.
  func endDispatchIfClear() -> Bool {
    flags.compareExchange(
      expected: Self.dispatching, desired: 0, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Ends the outermost dispatch, and leaves the mark.
  ///
  /// - Returns: Whether the flag is marked, so that the caller has to schedule a flush: no mark does until the flag
  ///   is cleared.
  func endDispatch() -> Bool {
    let old = flags.bitwiseAnd(~Self.dispatching, ordering: .acquiringAndReleasing).oldValue
    return old & Self.dirty != 0
  }
}
