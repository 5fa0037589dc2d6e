import Lensed
import Synchronization

/// What a window holds: the store, and how a view sees it. It is on the main actor, as everything here.
final class NotesModel {
  let store: Store<Notes>
  let observed: ObservedStore<Notes>
  private(set) var titles: [String] = []
  private var subscription: StoreSubscription?

  init(_ library: any Library, _ clock: any Clock<Duration>) throws {
    store = try Store(initialState: Notes(), .notes(library, clock))
    observed = ObservedStore(store)
    subscription = store.states(\.notes).subscribe(onMain: { [weak self] notes in
      self?.titles = notes.map(\.text)
    })
  }

  func add(_ text: String) {
    store.dispatch(ListAction.add(Note(id: store.notes.count + 1, text: text)))
  }

  func reload() async throws {
    try await store.dispatch(Load()).finish()
  }

  /// Follows the query as long as the task that calls it lives.
  func follow(_ show: (String) -> Void) async {
    for await query in store.states(\.query) { show(query) }
  }
}

struct NotesPresenter: Presenter {
  struct Props: Equatable {
    let title: String
    let reload: Command
  }

  func props(for state: Notes, dispatch: Dispatcher) -> Props {
    Props(title: "\(state.notes.count) notes", reload: dispatch.command(Load()))
  }
}

/// Middleware is called on the thread that dispatches, so what it holds is for every thread.
final class Counting: Middleware {
  private let counter = Atomic(0)
  var count: Int { counter.load(ordering: .relaxed) }

  func didReduce(_ change: Change<Notes>) { counter.add(1, ordering: .relaxed) }
}
