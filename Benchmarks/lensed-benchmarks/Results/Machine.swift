import Foundation

/// The machine of a run; results from different machines do not compare.
struct Machine: Codable {
  let system: String
  let processor: String
  let cores: Int
  let compiler: String

  static var current: Machine {
    let process = ProcessInfo.processInfo
    return Machine(
      system: process.operatingSystemVersionString,
      processor: processorName ?? "unknown processor",
      cores: process.activeProcessorCount,
      compiler: compiler
    )
  }

  var sentence: String { "\(processor), \(cores) cores; \(system); \(compiler)" }

  private static var processorName: String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else {
      return nil
    }
    return text.split(separator: "\n")
      .first { $0.hasPrefix("model name") }?
      .split(separator: ":").last
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }
}
