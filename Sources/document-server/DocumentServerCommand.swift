import Foundation

/// `swift run document-server [PORT [FOLDER]]`: serves documents until Ctrl-C, and keeps them in the folder.
///
/// It may be killed at any time: what it has answered is on the disk.
@main
enum DocumentServerCommand {
  static func main() async throws {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      let arguments = CommandLine.arguments.dropFirst()
      let server = try DocumentServer(
        port: arguments.first.flatMap(UInt16.init) ?? 8_080,
        keepingIn: arguments.dropFirst().first.map { URL(filePath: $0) })
      // Not buffered: who starts it in a script waits for this line.
      FileHandle.standardOutput.write(
        Data("Documents at http://localhost:\(server.port)/\n".utf8))
      try await server.run()
    #else
      print("This platform has no sockets.")
    #endif
  }
}
