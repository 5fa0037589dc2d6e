import Foundation

/// The load that other processes put on the machine.
enum BackgroundLoad {
  /// The share of all cores that is in use while this process waits; nil if the system does not
  /// say.
  static func share() async throws -> Double? {
    guard let before = times else { return nil }
    try await Task.sleep(for: .milliseconds(300))
    guard let after = times else { return nil }
    let all = after.all - before.all
    return all > 0 ? 1 - (after.idle - before.idle) / all : nil
  }

  private static var times: (idle: Double, all: Double)? {
    guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
    let columns = text.prefix { $0 != "\n" }.split(separator: " ").compactMap { Double($0) }
    // user, nice, system, idle, waiting for a disk, ...
    guard columns.count > 4 else { return nil }
    return (columns[3] + columns[4], columns.reduce(0, +))
  }
}
