import Foundation
import LensedTestSupport
import Testing

/// How much of this process lies in memory.
enum ResidentSize {
  /// Whether it says something: a sanitizer keeps what was freed for a while, or notes about it, so that
  /// memory grows under it.
  static var isExact: Bool {
    #if ASAN || TSAN
      false
    #else
      now != nil
    #endif
  }

  /// In bytes; nil where the system does not say.
  static var now: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * NSPageSize() }
  }

  /// Throws when memory has grown since the first of some samples, by 4 MB or more; one word for each
  /// of 1,000,000 steps would be 8 MB.
  static func requireFlat(_ sizes: [Int], samples: Int = 10) throws {
    let first = try #require(sizes.first)
    let growth = try #require(sizes.max()) - first
    try #require(sizes.count >= samples && growth < 4 << 20, "\(growth) bytes: \(sizes)")
  }
}
