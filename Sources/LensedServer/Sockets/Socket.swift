#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// A call of the system that failed.
  package struct SocketError: Error, CustomStringConvertible {
    package let call: String
    package let code: CInt

    package var description: String {
      // The text belongs to the C library and is copied at once.
      unsafe "\(call): \(String(cString: strerror(code)))"
    }

    /// Whether the process, or the system, has no more of what the call needs.
    var isExhaustion: Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }

    /// Whether no client will be accepted any more: what should listen is closed, or does not listen.
    var isEndOfListener: Bool { call == "accept" && [EBADF, EINVAL, ENOTSOCK].contains(code) }
  }

  /// A socket that never blocks, closed when its last reference goes.
  ///
  /// A task that waits for it holds it, so its number cannot become another socket's under a wait.
  package final class Socket: Sendable {
    package let descriptor: CInt

    /// Takes over a descriptor.
    private init(_ descriptor: CInt) throws(SocketError) {
      self.descriptor = descriptor
      try Self.check("fcntl", fcntl(descriptor, F_SETFD, FD_CLOEXEC))
      let flags = try Self.check("fcntl", fcntl(descriptor, F_GETFL))
      try Self.check("fcntl", fcntl(descriptor, F_SETFL, flags | O_NONBLOCK))
      #if canImport(Darwin)
        try set(SO_NOSIGPIPE, 1)
      #endif
    }

    deinit {
      close(descriptor)
    }

    /// A socket that listens on the loopback interface alone, and its port: a free one for 0.
    package static func listening(on port: UInt16) throws(SocketError) -> (Socket, UInt16) {
      let socket = try stream()
      try socket.set(SO_REUSEADDR, 1)
      var address = loopback(port)
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      // The address lives for the length of the calls, and `size` is its own.
      let bound = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(socket.descriptor, $0, size)
        }
      }
      try check("bind", bound)
      try check("listen", listen(socket.descriptor, SOMAXCONN))
      var length = size
      let named = unsafe withUnsafeMutablePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getsockname(socket.descriptor, $0, &length)
        }
      }
      try check("getsockname", named)
      return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// A socket that is being connected to a port of the loopback interface.
    package static func connecting(to port: UInt16) throws(SocketError) -> Socket {
      let socket = try stream()
      var address = loopback(port)
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      // The address lives for the length of the call, and `size` is its own.
      let begun = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(socket.descriptor, $0, size)
        }
      }
      if begun != 0, errno != EINPROGRESS { throw SocketError(call: "connect", code: errno) }
      return socket
    }

    /// The next client; nil when none waits.
    package func accept() throws(SocketError) -> Socket? {
      let client = acceptAny(descriptor)
      // What fails with a client that has gone meanwhile is no failure of this socket.
      if client >= 0 { return try? Socket(client) }
      if Self.isTemporary(errno) || errno == ECONNABORTED { return nil }
      throw SocketError(call: "accept", code: errno)
    }

    /// The bytes that are there; none at the end; nil when there are none yet.
    package func read(atMost count: Int) throws(SocketError) -> [UInt8]? {
      var code: CInt = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
        // At most the capacity of the buffer is written, and that many bytes are initialized.
        let received = unsafe recv(descriptor, buffer.baseAddress, count, 0)
        if received < 0 { code = errno }
        size = max(received, 0)
      }
      if code == 0 { return bytes }
      if Self.isTemporary(code) { return nil }
      throw SocketError(call: "recv", code: code)
    }

    /// Sends what fits, and says how many bytes that were; nil when none fit.
    package func write(_ bytes: ArraySlice<UInt8>) throws(SocketError) -> Int? {
      let sent = unsafe bytes.withUnsafeBytes {
        // The slice lives for the length of the call.
        unsafe send(descriptor, $0.baseAddress, $0.count, Self.sendFlags)
      }
      if sent >= 0 { return sent }
      if Self.isTemporary(errno) { return nil }
      throw SocketError(call: "send", code: errno)
    }

    /// Ends the sending direction: the other side reads to the end.
    package func endWriting() {
      _ = shutdown(descriptor, CInt(SHUT_WR))
    }

    /// Ends both directions: a task that reads from it, or waits for it, finds its end.
    package func hangUp() {
      _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Lets the system keep few bytes under way, so that a slow reader is noticed soon.
    package func keepLittle(bytes: CInt) throws(SocketError) {
      try set(SO_SNDBUF, bytes)
    }

    private func set(_ option: CInt, _ value: CInt) throws(SocketError) {
      var value = value
      // The value lives for the length of the call.
      let done = unsafe setsockopt(
        descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<CInt>.size))
      try Self.check("setsockopt", done)
    }

    private static func stream() throws(SocketError) -> Socket {
      #if canImport(Glibc)
        let kind = CInt(SOCK_STREAM.rawValue)
      #else
        let kind = CInt(SOCK_STREAM)
      #endif
      return try Socket(try check("socket", socket(AF_INET, kind, 0)))
    }

    @discardableResult
    private static func check(_ call: String, _ result: CInt) throws(SocketError) -> CInt {
      if result < 0 { throw SocketError(call: call, code: errno) }
      return result
    }

    private static func isTemporary(_ code: CInt) -> Bool {
      code == EAGAIN || code == EWOULDBLOCK || code == EINTR
    }

    /// A client that has gone is an error, and no signal that ends the process.
    private static var sendFlags: CInt {
      #if canImport(Darwin)
        0
      #else
        CInt(MSG_NOSIGNAL)
      #endif
    }
  }

  /// `accept`, whose name the method takes; the address of the client is not asked for.
  private func acceptAny(_ descriptor: CInt) -> CInt {
    accept(descriptor, nil, nil)
  }
#endif
