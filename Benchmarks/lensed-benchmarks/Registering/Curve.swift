/// A registered curve: the cost of one action as a size grows.
///
/// At the largest size its first line costs at most `atMost` times what its last line costs there; if it has one line
/// alone, what that costs at the smallest size.
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
  let atMost: Double
  let share: Double
  let lines: [Line]

  init(
    _ id: String,
    _ title: String,
    unit: String,
    sizes: [Int],
    atMost: Double,
    share: Double = 0.5,
    lines: [Line]
  ) {
    self.id = id
    self.title = title
    self.unit = unit
    self.sizes = sizes
    self.atMost = atMost
    self.share = share
    self.lines = lines
  }
}
