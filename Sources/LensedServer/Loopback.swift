// Why only this machine reaches a server, and on this machine only what is meant to:
//
// 1. Its socket is bound to the address of the loopback interface (`Socket.listening`), so no packet from elsewhere comes
//    to it.
// 2. A page from elsewhere can have a browser on this machine send requests. A request under a name of the page's own,
//    which resolves to the loopback address, names another host: `requireLoopbackHost` refuses it.
// 3. A browser lets a foreign page send here, without asking this server first, only forms and text: `requireJSON` refuses
//    them.
//
// The routes of each program call both checks.

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

  extension Socket {
    /// The address of a port of the loopback interface, 127.0.0.1.
    static func loopback(_ port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return address
    }
  }
#endif

extension Request {
  /// Refuses a request that was not meant for this machine's loopback interface.
  ///
  /// A name that resolves to this machine does not make a page from elsewhere one of its own.
  package func requireLoopbackHost(port: UInt16) throws(Refusal) {
    let hosts = ["localhost", "127.0.0.1"].flatMap { [$0, "\($0):\(port)"] }
    guard let host = headers["host"], hosts.contains(host.lowercased()) else {
      throw Refusal(.misdirected, "This server is localhost:\(port).")
    }
  }
}
