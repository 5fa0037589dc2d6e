import Lensed

/// Everything the report shows, each part owned by one mutator.
struct PulseState: Equatable, Sendable, Codable {
  /// What the report calls the repository.
  var title: String?
  var totals = Totals()
  var authors: Entities<Author> = []
  var files: Entities<File> = []
  /// Commits per day, and per hour of the day.
  var days: Entities<Tally<Day>> = []
  var hours: Entities<Tally<Int>> = []
  var words: Entities<Tally<String>> = []

  static func store(
    from state: PulseState = PulseState(), recordedBy recorder: (any Middleware<PulseState>)? = nil
  ) throws -> Store<PulseState> {
    // An error of an effect is thrown to the caller that waits for its dispatch.
    try Store(
      initialState: state, middleware: recorder.map { [$0] } ?? [], onEffectError: { _ in }
    ) {
      Mutator(\.title) { (title: inout String?, action: Opened) in title = action.title }
      Mutator(\.totals, Totals.reducer).startingOver(from: Totals())
      Mutator(\.authors, Author.directory).startingOver(from: [])
      Mutator(\.files, File.reducer).startingOver(from: [])
      Mutator(\.days) { (days: inout Entities<Tally<Day>>, action: CommitAction) in
        if let moment = action.moment { days.tally(moment.day) }
      }
      .startingOver(from: [])
      Mutator(\.hours) { (hours: inout Entities<Tally<Int>>, action: CommitAction) in
        if let moment = action.moment { hours.tally(moment.hour) }
      }
      .startingOver(from: [])
      Mutator(\.words, Words.reducer).startingOver(from: [])
    }
  }
}

extension Mutator where SubState: Sendable {
  /// This mutator, for a history that may have to be read anew.
  fileprivate func startingOver(from beginning: SubState) -> Mutator {
    on(StartOver.self) { part, _ in part = beginning }
  }
}

// A recording may come from a stranger. So each number in it is bounded, and adding numbers up cannot overflow: a file
// with enough of the largest would be 5 GB.
extension KeyedDecodingContainer {
  /// Takes the place of the library's own in the conformances that are synthesised here.
  func decode(_: Int.Type, forKey key: Key) throws -> Int {
    let number = try decode(Int64.self, forKey: key)
    if (0...1 << 36).contains(number) { return Int(number) }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "\(number) is no number of anything")
  }
}
