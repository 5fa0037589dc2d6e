import Lensed

/// Everything the report shows, each part owned by one mutator.
struct PulseState: Equatable, Sendable, Codable {
  /// What the report calls the repository.
  var title: String?
  var totals = Totals()
  var authors: Entities<Author> = []
  var files = Files()
  var activity = Activity()
  var words = Words()

  static func store(
    from state: PulseState = PulseState(), recordedBy recorder: (any Middleware<PulseState>)? = nil
  ) throws -> Store<PulseState> {
    try Store(initialState: state, middleware: recorder.map { [$0] } ?? []) {
      Mutator(\.title) { (title: inout String?, action: Opened) in title = action.title }
      Mutator(\.totals, Totals.reducer).startingOver(from: Totals())
      Mutator(\.authors, Author.directory).startingOver(from: [])
      Mutator(\.files, Files.reducer).startingOver(from: Files())
      Mutator(\.words, Words.reducer).startingOver(from: Words())
      Activity.calendarMutator.startingOver(from: [:]).lifted(Lens(\PulseState.activity))
      Activity.clockMutator.startingOver(from: Activity().clock)
        .lifted(Lens(\PulseState.activity))
    }
  }
}

extension Mutator where SubState: Sendable {
  /// This mutator, for a history that may have to be read anew.
  fileprivate func startingOver(from beginning: SubState) -> Mutator {
    on(StartOver.self) { part, _ in part = beginning }
  }
}
