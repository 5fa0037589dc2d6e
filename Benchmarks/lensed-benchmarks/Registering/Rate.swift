/// A registered rate: the number of events in a second.
///
/// It has no target, because it depends on the machine as much as on Lensed.
struct Rate {
  let id: String
  let title: String
  let side: () async throws -> Side

  init(_ id: String, _ title: String, side: @escaping () async throws -> Side) {
    self.id = id
    self.title = title
    self.side = side
  }
}
