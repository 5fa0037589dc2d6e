import Lensed

/// Everything the report shows, each part owned by one mutator.
struct PulseState: Equatable, Sendable, Codable {
  var totals = Totals()
  var authors: [String: Author] = [:]
  var files = Files()
  var activity = Activity()
  var words = Words()

  static func store() throws -> Store<PulseState> {
    try Store(initialState: PulseState()) {
      Mutator(\.totals, Totals.reducer)
      Mutator(\.authors, Author.directory)
      Mutator(\.files, Files.reducer)
      Mutator(\.words, Words.reducer)
      Activity.calendarMutator.lifted(Lens(\PulseState.activity))
      Activity.clockMutator.lifted(Lens(\PulseState.activity))
    }
  }
}
