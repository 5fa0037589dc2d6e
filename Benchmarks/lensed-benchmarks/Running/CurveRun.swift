extension Curve {
  /// Measures all points of all lines in turn, so that they are comparable.
  func measure(
    _ effort: Effort,
    progress: (_ round: Int, _ count: Int) -> Void
  ) async throws -> CurveResult {
    var sides: [Side] = []
    for line in lines {
      for size in sizes { sides.append(try await line.side(size)) }
    }
    let rounds = try await Rounds(
      of: sides,
      count: effort.rounds(share: share),
      effort: effort,
      progress: progress
    )
    let results = lines.indices.map { index in
      let points = sizes.indices.map { place in
        let distribution = rounds.distribution(of: index * sizes.count + place)
        return CurveResult.Point(
          size: sizes[place],
          medianNanoseconds: distribution.median,
          minimumNanoseconds: distribution.minimum
        )
      }
      return CurveResult.Line(
        name: lines[index].name,
        points: points,
        growth: Growth(fitting: points.map { (Double($0.size), $0.medianNanoseconds) })
      )
    }
    return CurveResult(
      id: id, title: title, unit: unit, lines: results, atMost: atMost, headroom: effort.headroom)
  }
}
