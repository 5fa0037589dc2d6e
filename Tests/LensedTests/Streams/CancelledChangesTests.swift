import LensedTestSupport
import Testing

@testable import Lensed

@Suite("After a cancelled wait: every reader is over", .timeLimit(.minutes(30)))
struct CancelledChangesTests {
  @Test func `the iterator is over, and says so at once`() async throws {
    let store = try Desk.makeStore()
    let changes = UncheckedSendable(store.changes().makeAsyncIterator())
    let waiting = Task {
      var changes = changes.value
      return await changes.next() == nil
    }
    // Most often it waits by then; it is over either way.
    for _ in 0..<1_000 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value)
    var again = changes.value
    #expect(await again.next() == nil)
    store.dispatch(CountAction.add(1))
    #expect(await again.next() == nil)
  }

  @Test(.warnsOnPurpose) func `nothing is kept for it any more`() async throws {
    let store = try Desk.makeStore()
    let changes = UncheckedSendable(store.changes().makeAsyncIterator())
    let waiting = Task {
      var changes = changes.value
      _ = await changes.next()
    }
    waiting.cancel()
    await waiting.value
    let alive = LiveCount()
    store.dispatch(TokenAction(token: alive.token()))
    #expect(alive.value == 0)
    withExtendedLifetime(changes) {}
  }

  @Test func `a stream of states is over as well`() async throws {
    let store = try Desk.makeStore()
    let states = UncheckedSendable(store.states(\.count).makeAsyncIterator())
    let waiting = Task {
      var states = states.value
      while await states.next() != nil {}
    }
    waiting.cancel()
    await waiting.value
    var again = states.value
    #expect(await again.next() == nil)
  }

  @Test func `a debounced and a throttled stream are over as well`() async throws {
    let store = try Desk.makeStore()
    let clock = ManualClock()
    let counts = store.states(\.count)
    let debounced = UncheckedSendable(
      counts.debounce(for: .seconds(1), clock: clock).makeAsyncIterator())
    let throttled = UncheckedSendable(
      counts.throttle(for: .seconds(1), clock: clock).makeAsyncIterator())
    let waiting = [
      Task {
        var states = debounced.value
        while await states.next(isolation: #isolation) != nil {}
      },
      Task {
        var states = throttled.value
        while await states.next(isolation: #isolation) != nil {}
      },
    ]
    await clock.waitForSleeps(2)
    for task in waiting {
      task.cancel()
      await task.value
    }
    var (first, second) = (debounced.value, throttled.value)
    #expect(await first.next(isolation: #isolation) == nil)
    #expect(await second.next(isolation: #isolation) == nil)
  }

  private struct TokenAction: Action {
    let token: LiveCount.Token
  }
}
