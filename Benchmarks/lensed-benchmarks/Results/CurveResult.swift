/// The result of a curve.
struct CurveResult: Codable {
  let id: String
  let title: String
  let unit: String
  let lines: [Line]

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
