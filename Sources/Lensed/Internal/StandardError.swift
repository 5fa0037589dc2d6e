#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#elseif canImport(WASILibc)
  private import WASILibc
#else
  // A platform without POSIX: nothing is written, and nothing waits for it.
  private func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { 0 }
#endif

/// The standard error stream of the process.
package enum StandardError {
  /// Writes one line; the line breaks of the text become spaces.
  ///
  /// Where nothing can be written, as to a full disk or a closed stream, the line is lost.
  package static func write(line text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
    var bytes = Array(line.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe writeSome($0) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }
}

/// In the type, its own `write` would hide that of the system.
private func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(2, bytes.baseAddress, bytes.count)
}
