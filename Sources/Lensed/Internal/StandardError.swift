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
#endif

/// The standard error stream of the process.
package enum StandardError {
  /// Writes one line; the line breaks of the text become spaces.
  package static func write(line text: String) {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
    var bytes = Array(line.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe write(2, $0) }
      if count <= 0 { return }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      unsafe Darwin.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(Glibc)
      unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      unsafe Musl.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(Android)
      unsafe Android.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(WASILibc)
      unsafe WASILibc.write(file, bytes.baseAddress, bytes.count)
    #else
      // A platform without POSIX: nothing is written, and nothing waits for it.
      0
    #endif
  }
}
