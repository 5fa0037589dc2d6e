import Foundation

/// `swift run document-server [PORT]`: serves documents until Ctrl-C.
@main
enum DocumentServerCommand {
  static func main() async throws {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      let server = try DocumentServer(
        port: CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 8_080)
      print("Documents at http://localhost:\(server.port)/")
      try await server.run()
    #else
      print("This platform has no sockets.")
    #endif
  }
}
