import Foundation
import LensedServer

/// `swift run document-server [PORT [FOLDER]]`: serves documents until Ctrl-C, and keeps them in the folder.
///
/// It may be killed at any time: what it has answered is on the disk. Exit statuses: 1, it cannot serve; 2, the
/// arguments mean nothing.
@main
enum DocumentServerCommand {
  static func main() async {
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      do {
        try await run(Options(Array(CommandLine.arguments.dropFirst())))
      } catch {
        // What cannot be said changes nothing about the status.
        try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
        exit(error is UsageError ? 2 : 1)
      }
    #else
      print("This platform has no sockets.")
    #endif
  }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private static func run(_ options: Options) async throws {
      let server: DocumentServer
      do {
        server = try DocumentServer(port: options.port, keepingIn: options.folder)
      } catch let error as SocketError where error.call != "pipe" {
        throw Unserved(
          description: "Port \(options.port) cannot be had (\(error)). Name another one, or 0.")
      }
      // Not buffered: who starts it in a script waits for this line.
      try FileHandle.standardOutput.write(
        contentsOf: Data("Documents at http://localhost:\(server.port)/\n".utf8))
      try await server.run()
    }
  #endif

  /// What was asked for.
  struct Options {
    var port: UInt16 = 8_080
    var folder: URL?

    init(_ arguments: [String]) throws(UsageError) {
      if arguments.count > 2 { throw UsageError("There are more than two arguments.") }
      if let text = arguments.first {
        guard let port = UInt16(text) else {
          throw UsageError("\(text) is no port: those are the numbers from 0 to 65535.")
        }
        self.port = port
      }
      folder = arguments.dropFirst().first.map { URL(filePath: $0) }
    }
  }

  /// The arguments mean nothing.
  struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = "\(sentence) Usage: document-server [PORT [FOLDER]]" }
  }

  /// It cannot serve.
  private struct Unserved: Error, CustomStringConvertible {
    let description: String
  }
}
