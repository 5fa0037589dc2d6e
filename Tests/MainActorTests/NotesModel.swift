import Lensed
import LensedPresenters
import Synchronization

// GUIDE: A model
final class NotesModel {
  let store: Store<Notes>
  let observed: ObservedStore<Notes>
  private(set) var titles: [String] = []
  private var subscription: StoreSubscription?

  init(_ library: any Library, _ clock: any Clock<Duration>) throws {
    store = try Store(initialState: Notes(), notesFeature(library, clock))
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

  func follow(_ show: (String) -> Void) async {
    for await query in store.states(\.query) { show(query) }
  }
}
// GUIDE: end

// GUIDE: A presenter and middleware
struct NotesPresenter: Presenter {
  struct Props: Equatable {
    let title: String
    let reload: Command
  }

  func props(for state: Notes, dispatch: Dispatcher) -> Props {
    Props(title: "\(state.notes.count) notes", reload: dispatch.command(Load()))
  }
}

final class Counting: Middleware {
  private let counter = Atomic(0)
  var count: Int { counter.load(ordering: .relaxed) }

  func didReduce(_ change: Change<Notes>) { counter.add(1, ordering: .relaxed) }
}
// GUIDE: end
