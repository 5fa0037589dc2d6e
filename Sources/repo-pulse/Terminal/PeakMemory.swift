import Foundation

/// The most memory this process has held.
enum PeakMemory {
  /// The peak in bytes.
  ///
  /// On Linux the resource usage also counts whatever ran in this process before it became this
  /// program, such as a build tool, so the kernel's account of this program goes first.
  static func bytes() -> Int {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    guard words.count > 1, let kilobytes = Int(words[1]) else {
      return System.largestResidentSize()
    }
    return kilobytes * 1_024
  }
}
