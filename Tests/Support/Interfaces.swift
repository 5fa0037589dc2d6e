#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation

  /// The addresses of this machine, as somebody elsewhere would try them.
  package enum Interfaces {
    /// The addresses at which somebody listens at a port.
    ///
    /// A system may refuse a loopback address that no interface has, other than `127.0.0.1`; Linux has all of them.
    package static func listening(at port: UInt16) -> Set<String> {
      var addresses: Set<UInt32> = [loopback, loopback + 1]
      var list: UnsafeMutablePointer<ifaddrs>?
      if unsafe getifaddrs(&list) == 0 {
        defer { unsafe freeifaddrs(list) }
        var next = unsafe list
        while let interface = unsafe next {
          unsafe next = interface.pointee.ifa_next
          guard let address = unsafe interface.pointee.ifa_addr,
            unsafe address.pointee.sa_family == sa_family_t(AF_INET)
          else { continue }
          unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
            _ = unsafe addresses.insert(UInt32(bigEndian: address.pointee.sin_addr.s_addr))
          }
        }
      }
      return Set(addresses.filter { connects(to: $0, port) }.map(text))
    }

    /// Listens on every interface for as long as `body` takes, which is given the port.
    package static func listeningOnAll(_ body: (UInt16) throws -> Void) throws {
      let descriptor = stream()
      defer { close(descriptor) }
      var address = socketAddress(0, 0)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
            && getsockname(descriptor, address, &size) == 0
        }
      }
      if !status { throw CocoaError(.fileReadUnknown) }
      try body(UInt16(bigEndian: address.sin_port))
    }

    private static let loopback: UInt32 = 0x7F00_0001

    /// Tries it from the loopback address, so that no connection can meet itself.
    private static func connects(to address: UInt32, _ port: UInt16) -> Bool {
      let descriptor = stream()
      defer { close(descriptor) }
      return unsafe call(bind, descriptor, socketAddress(loopback, 0))
        && call(connect, descriptor, socketAddress(address, port))
    }

    private static func call(
      _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt, _ descriptor: CInt,
      _ address: sockaddr_in
    ) -> Bool {
      // The address lives for the length of the call, and the size is its own.
      unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          unsafe function(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }

    private static func stream() -> CInt {
      #if canImport(Glibc)
        socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      #else
        socket(AF_INET, SOCK_STREAM, 0)
      #endif
    }

    private static func socketAddress(_ address: UInt32, _ port: UInt16) -> sockaddr_in {
      var result = sockaddr_in()
      result.sin_family = sa_family_t(AF_INET)
      result.sin_port = port.bigEndian
      result.sin_addr.s_addr = address.bigEndian
      return result
    }

    private static func text(_ address: UInt32) -> String {
      [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
    }
  }
#endif
