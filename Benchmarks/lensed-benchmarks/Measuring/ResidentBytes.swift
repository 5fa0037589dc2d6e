import Foundation

/// How much of this process lies in memory.
enum ResidentBytes {
  /// In bytes; nil where the system does not say.
  static var now: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }

  /// Returns what was freed to the system, so that new objects take new memory.
  static func trim() {
    #if canImport(Glibc)
      malloc_trim(0)
    #endif
  }
}
