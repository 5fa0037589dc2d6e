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
    try Store(initialState: state, middleware: recorder.map { [$0] } ?? []) {
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

// A recording may come from anybody. With these, no number in it can be more than can be counted on from, and a
// file that had enough of the largest to add up to too much would be 5 GB.

extension KeyedDecodingContainer {
  /// Stands for the library's own in what is synthesised here.
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let number = try decode(Checked.self, forKey: key)
    return number.value
  }
}

/// A number of something: not negative, and at most 2³⁶.
private struct Checked: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = try container.decode(Int.self)
    guard (0...1 << 36).contains(value) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(value) is no number of anything")
    }
  }
}
