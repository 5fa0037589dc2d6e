/// The result of a curve.
struct CurveResult: Codable {
  let id: String
  let title: String
  let unit: String
  let lines: [Line]
  /// The limit of `ratio`, with the head-room of a quick run; nil in files of former versions.
  let atMost: Double?
  let headroom: Double?

  /// What the first line costs at the largest size, divided by what the last line costs there; if it is the only
  /// one, by what it costs at the smallest size.
  var ratio: Double? {
    guard let first = lines.first?.points, let end = first.last,
      let other = lines.count > 1 ? lines.last?.points.last : first.first
    else { return nil }
    return end.medianNanoseconds / other.medianNanoseconds
  }

  var verdict: Verdict {
    guard let ratio, let atMost else { return .noted }
    if ratio <= atMost { return .met }
    return ratio <= atMost * (headroom ?? 1) ? .tolerated : .missed
  }

  struct Line: Codable {
    let name: String
    let points: [Point]
    let growth: Growth
  }

  struct Point: Codable {
    let size: Int
    let medianNanoseconds: Double
    let minimumNanoseconds: Double
  }
}
