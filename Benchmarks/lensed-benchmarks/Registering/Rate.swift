/// A registered rate: how many of something happen in a second.
///
/// It is measured and never judged, because it says as much about the machine as about Lensed.
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
