#if os(macOS) || os(Linux)
  import Foundation

  /// The compiler of the toolchain that runs the tests, with the module that they were built with.
  struct SwiftCompiler {
    /// Why there is none.
    struct Missing: Error, CustomStringConvertible {
      let description: String
    }

    /// One error, and the line it stands at.
    struct Diagnostic: Equatable {
      let line: Int
      let text: String
    }

    private let compiler: URL
    private let modules: URL

    init() throws {
      compiler = try Self.findCompiler()
      modules = try Self.findModules()
    }

    /// Type-checks one file in Swift 6 mode, and gives the errors in it.
    func errors(in lines: [String]) throws -> [Diagnostic] {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "lensed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (source, said) = (folder.appending(path: "file.swift"), folder.appending(path: "said"))
      try lines.joined(separator: "\n").write(to: source, atomically: true, encoding: .utf8)
      // A file rather than a pipe: nobody has to read while the compiler writes.
      try Data().write(to: said)
      let process = Process()
      process.executableURL = compiler
      let build = modules.deletingLastPathComponent()
      process.arguments = [
        "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-module-cache-path",
        build.appending(path: "ModuleCache").path, "-I", modules.path,
        // The one module of C that Lensed is compiled against.
        "-I", build.appending(path: "LensedThread.build").path, source.path,
      ]
      process.standardInput = FileHandle.nullDevice
      process.standardError = try FileHandle(forWritingTo: said)
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      let text = try String(contentsOf: said, encoding: .utf8)
      let errors = text.split(separator: "\n").compactMap(Self.diagnostic)
      if process.terminationStatus != 0 && errors.isEmpty { throw Missing(description: text) }
      return errors
    }

    /// Reads `…/file.swift:12:5: error: what is wrong`.
    private static func diagnostic(_ line: Substring) -> Diagnostic? {
      guard let mark = line.range(of: ": error: ") else { return nil }
      let place = line[..<mark.lowerBound].split(separator: ":")
      guard place.count > 2, let number = Int(place[place.count - 2]) else { return nil }
      return Diagnostic(line: number, text: String(line[mark.upperBound...]))
    }

    private static func findCompiler() throws -> URL {
      let environment = ProcessInfo.processInfo.environment
      var folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
      for name in ["TOOLCHAIN", "TOOLCHAIN_DIR"] {
        if let root = environment[name] { folders.append("\(root)/usr/bin") }
      }
      let candidates = folders.map { URL(filePath: $0).appending(path: "swiftc") }
      guard let found = candidates.first(where: { isExecutable($0) }) else {
        throw Missing(
          description: "No swiftc on the PATH. Put the toolchain's usr/bin there, or name the "
            + "toolchain in TOOLCHAIN.")
      }
      return found
    }

    private static func isExecutable(_ file: URL) -> Bool {
      FileManager.default.isExecutableFile(atPath: file.path)
    }

    /// The folder with `Lensed.swiftmodule`, beside the program or the bundle that holds these tests.
    private static func findModules() throws -> URL {
      let starts = CommandLine.arguments + Bundle.allBundles.map(\.bundlePath)
      for start in starts {
        var folder = URL(filePath: start).standardizedFileURL
        while folder.pathComponents.count > 1 {
          folder.deleteLastPathComponent()
          let modules = folder.appending(path: "Modules")
          let module = modules.appending(path: "Lensed.swiftmodule")
          if FileManager.default.fileExists(atPath: module.path) { return modules }
        }
      }
      throw Missing(description: "No Modules/Lensed.swiftmodule above \(starts).")
    }
  }
#endif
