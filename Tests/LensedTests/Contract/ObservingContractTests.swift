import Lensed
import LensedTestSupport
import Testing

private typealias AppState = Contract.AppState
private typealias AppAction = Contract.AppAction
private typealias OtherAction = Contract.OtherAction

@Suite(
  "Subscriptions call back at once, in order, until they are cancelled", .timeLimit(.minutes(30)))
struct SubscriptionContractTests {
  private let store: Store<AppState>

  init() throws {
    store = try Contract.makeStore()
  }

  @Test func `subscribe gives the current value at once, then each commit`() {
    let heard = Recorder<Int>()
    let subscription: StoreSubscription = store.states(\.counter.value).subscribe { value in
      heard.append(value)
    }
    #expect(heard.values == [0])
    store.dispatch(AppAction.increase(1))
    #expect(heard.values == [0, 1])
    subscription.cancel()
    store.dispatch(AppAction.increase(1))
    #expect(heard.values == [0, 1])
  }

  @Test func `releasing a subscription cancels it`() {
    let heard = Recorder<Int>()
    var subscription: StoreSubscription? = store.states(\.counter.value).subscribe {
      heard.append($0)
    }
    store.dispatch(AppAction.increase(1))
    #expect(subscription != nil)
    subscription = nil
    store.dispatch(AppAction.increase(1))
    #expect(heard.values == [0, 1])
  }

  @Test func `a set keeps subscriptions`() {
    let heard = Recorder<Int>()
    var subscriptions: Set<StoreSubscription> = []
    store.states(\.counter.value).subscribe { heard.append($0) }.keep(in: &subscriptions)
    store.states(\.counter.value).subscribe { heard.append(-$0) }.keep(in: &subscriptions)
    #expect(subscriptions.count == 2)
    store.dispatch(AppAction.increase(1))
    #expect(heard.values == [0, 0, 1, -1])
    subscriptions = []
    store.dispatch(AppAction.increase(1))
    #expect(heard.count == 4)
  }

  @Test func `onMain calls back on the main actor`() async {
    let heard = Recorder<Int>()
    let subscription = store.states(\.counter.value).subscribe(onMain: { value in
      MainActor.assertIsolated()
      heard.append(value)
    })
    #expect(await heard.waitForCount(1) == [0])
    store.dispatch(AppAction.increase(1))
    #expect(await heard.waitForCount(2) == [0, 1])
    subscription.cancel()
  }

  @Test @MainActor func `onMain may touch what belongs to the main actor`() async {
    final class Label {
      var text = ""
    }
    let label = Label()
    let drawn = Recorder<String>()
    let subscription = store.states(\.user.name).subscribe(onMain: { name in
      label.text = name ?? "nobody"
      drawn.append(label.text)
    })
    await drawn.waitForCount(1)
    store.dispatch(OtherAction.logIn("a"))
    #expect(await drawn.waitForCount(2) == ["nobody", "a"])
    subscription.cancel()
    store.dispatch(OtherAction.logIn("b"))
    #expect(label.text == "a")
  }
}

@Suite("Changes show every commit", .timeLimit(.minutes(30)))
struct ChangesContractTests {
  private let store: Store<AppState>

  init() throws {
    store = try Contract.makeStore()
  }

  @Test(.warnsOnPurpose) func `each commit with its action, cause, revision and what ran`()
    async throws
  {
    var changes = store.changes(buffering: .unbounded).makeAsyncIterator()
    store.dispatch(AppAction.increase(1))
    store.dispatch([OtherAction.logIn("a"), .logIn("b")])
    store.dispatch(StrayAction())
    store.replaceState(AppState(counter: 5))
    let one: Change<AppState> = try #require(await changes.next())
    #expect(one.state == AppState(counter: 1))
    #expect(one.action as? AppAction == .increase(1))
    #expect(one.cause == .action)
    #expect(one.revision == 1)
    #expect(one.isHandled)
    #expect(one.touches(Lens(\.counter)))
    #expect(one.droppedCount == 0)
    let two = try #require(await changes.next())
    #expect(two.action as? [OtherAction] == [.logIn("a"), .logIn("b")], "an array as dispatched")
    #expect(two.revision == 2)
    let three = try #require(await changes.next())
    #expect(!three.isHandled)
    #expect(three.revision == 3)
    let four = try #require(await changes.next())
    #expect(four.action == nil)
    #expect(four.cause == .replacement)
    #expect(four.state == AppState(counter: 5))
    #expect(four.revision == 4)
  }

  @Test func `a mixed list is shown as a list of its members`() async throws {
    var changes = store.changes(buffering: .unbounded).makeAsyncIterator()
    store.dispatch([AppAction.increase(1), OtherAction.logIn("a")])
    let list = try #require(await changes.next()?.action as? ActionList)
    #expect(list.actions.count == 2)
    #expect(list.actions.first as? AppAction == .increase(1))
  }

  @Test func `bounds drop one end or the other, and count it`() async throws {
    var oldest = store.changes(buffering: .bounded(2, dropping: .oldest)).makeAsyncIterator()
    var newest = store.changes(buffering: .bounded(2, dropping: .newest)).makeAsyncIterator()
    for _ in 1...5 { store.dispatch(AppAction.increase(1)) }
    let late = try #require(await oldest.next())
    #expect(late.revision == 4)
    #expect(late.droppedCount == 3)
    #expect(await oldest.next()?.revision == 5)
    #expect(await newest.next()?.revision == 1)
    #expect(await newest.next()?.revision == 2)
    store.dispatch(AppAction.increase(1))
    let after = try #require(await newest.next())
    #expect(after.revision == 6)
    #expect(after.droppedCount == 3)
  }

  @Test func `the state before, where it was asked for`() async throws {
    var changes = store.changes(buffering: .unbounded, keepingPrevious: true).makeAsyncIterator()
    store.dispatch(OtherAction.logIn("a"))
    store.dispatch(AppAction.increase(1))
    let first = try #require(await changes.next())
    #expect(first.previous == AppState())
    #expect(first.didChange(\.user) && first.didChange(\.counter), "true on first delivery")
    let second = try #require(await changes.next())
    #expect(second.previous == AppState(user: "a"))
    #expect(second.didChange(\.counter))
    #expect(!second.didChange(\.user))
    var plain = store.changes(buffering: .unbounded).makeAsyncIterator()
    store.dispatch(AppAction.increase(1))
    let change = try #require(await plain.next())
    #expect(change.previous == nil)
  }

  @Test func `what was buffered is delivered before it ends with the store`() async throws {
    var store: Store<AppState>? = try Contract.makeStore()
    var changes = try #require(store).changes(buffering: .unbounded).makeAsyncIterator()
    store?.dispatch(AppAction.increase(1))
    store?.dispatch(AppAction.increase(1))
    store = nil
    #expect(await changes.next()?.revision == 1)
    #expect(await changes.next()?.revision == 2)
    #expect(await changes.next() == nil)
  }
}
