import Foundation

/// The results of one run, as written to a file.
struct Report: Codable {
  var machine: Machine
  var date: Date
  var isQuick: Bool
  /// The share of the machine that other processes used before the run.
  var backgroundLoad: Double?
  var pairs: [PairResult] = []
  var curves: [CurveResult] = []
  var rates: [RateResult] = []
  var memory: [MemoryResult] = []

  var failures: [PairResult] { pairs.filter(\.verdict.isFailure) }
  var excesses: [MemoryResult] { memory.filter(\.verdict.isFailure) }

  var rises: [CurveResult] { curves.filter(\.verdict.isFailure) }

  /// Whether a target is missed.
  var misses: Bool { !(failures.isEmpty && excesses.isEmpty && rises.isEmpty) }

  init(machine: Machine, date: Date, isQuick: Bool, backgroundLoad: Double?) {
    self.machine = machine
    self.date = date
    self.isQuick = isQuick
    self.backgroundLoad = backgroundLoad
  }

  init(contentsOf path: String) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try decoder.decode(
      Report.self,
      from: Data(contentsOf: URL(fileURLWithPath: path))
    )
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
