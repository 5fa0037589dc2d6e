/// A registered curve: the cost of one action as a size grows.
struct Curve {
  /// One line of the curve.
  struct Line {
    let name: String
    let side: (_ size: Int) async throws -> Side

    init(_ name: String, side: @escaping (_ size: Int) async throws -> Side) {
      self.name = name
      self.side = side
    }
  }

  let id: String
  let title: String
  let unit: String
  let sizes: [Int]
  let share: Double
  let lines: [Line]

  init(
    _ id: String,
    _ title: String,
    unit: String,
    sizes: [Int],
    share: Double = 0.5,
    lines: [Line]
  ) {
    self.id = id
    self.title = title
    self.unit = unit
    self.sizes = sizes
    self.share = share
    self.lines = lines
  }
}
