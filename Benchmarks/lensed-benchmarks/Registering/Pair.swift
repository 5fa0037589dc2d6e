/// A registered pair: something Lensed does, and the same work as somebody would write it by hand
/// for that one case.
struct Pair {
  /// Which side has to do without the heap.
  enum Austerity: String, Codable {
    case neither
    case subject
    case both
  }

  let id: String
  let title: String
  let target: Target?
  let austerity: Austerity
  /// How many of the usual rounds this one gets: samples that take long get by with fewer.
  let share: Double
  let sides: () async throws -> (subject: Side, baseline: Side)

  init(
    _ id: String,
    _ title: String,
    target: Target?,
    heapless austerity: Austerity = .neither,
    share: Double = 1,
    sides: @escaping () async throws -> (subject: Side, baseline: Side)
  ) {
    self.id = id
    self.title = title
    self.target = target
    self.austerity = austerity
    self.share = share
    self.sides = sides
  }
}
