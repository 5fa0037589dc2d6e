import Foundation

/// The most memory this process has held.
enum PeakMemory {
  /// In bytes. On Linux the resource usage also counts whatever ran in this process before it
  /// became this program, such as a build tool, so the kernel's own account goes first.
  static func bytes() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    return kilobytes.map { $0 * 1_024 } ?? System.largestResidentSize()
  }
}
