#if os(macOS) || os(Linux)
  import Foundation
  import LensedTestSupport

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

    let compiler: URL
    /// The folder of the modules that the tests were built with; the folders of their object files lie beside it.
    let modules: URL

    init() throws {
      compiler = try Self.findCompiler()
      modules = try Self.findModules()
    }

    /// Type-checks one file in Swift 6 mode, and gives the errors in it; with warnings among them, if so asked.
    func errors(in lines: [String], andWarnings: Bool = false) throws -> [Diagnostic] {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "lensed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let source = folder.appending(path: "file.swift")
      try lines.joined(separator: "\n").write(to: source, atomically: true, encoding: .utf8)
      let (status, text) = try Self.run(
        compiler,
        ["-typecheck"] + (andWarnings ? ["-warnings-as-errors"] : []) + library + [source.path],
        in: folder)
      let errors = text.split(separator: "\n").compactMap(Self.diagnostic)
      if status != 0 && errors.isEmpty { throw Missing(description: text) }
      return errors
    }

    /// Compiles one file with the library and its test kit, as the tests were built with them, and runs it.
    ///
    /// - Returns: Its exit status, and what it wrote to both of its outputs; or what the compiler said, where it fails.
    func run(_ lines: [String]) throws -> (status: Int32, said: String) {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "lensed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (source, program) = (folder.appending(path: "main.swift"), folder.appending(path: "main"))
      try lines.joined(separator: "\n").write(to: source, atomically: true, encoding: .utf8)
      let build = modules.deletingLastPathComponent()
      let swift = try ["Lensed", "LensedPersistence", "LensedPresenters", "LensedTesting"].flatMap {
        try objects(of: $0, in: build)
      }
      let ground = try files(in: build.appending(path: "LensedThread.build"), ending: "o")
      let plugins = compiler.resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "lib/swift/host/plugins/testing")
      let (status, said) = try Self.run(
        compiler,
        library + ["-plugin-path", plugins.path, "-o", program.path, source.path] + swift
          + ground,
        in: folder)
      return status == 0 ? try Self.run(program, [], in: folder) : (status, said)
    }

    /// The object files of a module, without those that an earlier build has left.
    private func objects(of module: String, in build: URL) throws -> [String] {
      let map = try Data(
        contentsOf: build.appending(path: "\(module).build/output-file-map.json"))
      let outputs = try JSONDecoder().decode([String: [String: String]].self, from: map)
      // A module that is compiled as one has an object file of its own in the map, and one for each source instead.
      return outputs.values.compactMap { $0["object"] }
        .filter { FileManager.default.fileExists(atPath: $0) }
    }

    private func files(in folder: URL, ending: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == ending }.map(\.path)
    }

    /// The arguments for a file that imports the library.
    var library: [String] {
      let build = modules.deletingLastPathComponent()
      return [
        "-swift-version", "6", "-diagnostic-style", "llvm", "-module-cache-path",
        build.appending(path: "ModuleCache").path, "-I", modules.path,
        // The one module of C that Lensed is compiled against.
        "-I", build.appending(path: "LensedThread.build").path,
      ]
    }

    /// Runs a program to its end, and returns what it wrote to both of its outputs.
    static func run(
      _ program: URL, _ arguments: [String], in folder: URL, reading input: String = ""
    ) throws -> (status: Int32, said: String) {
      // Files rather than pipes: nobody has to read or write while the program runs.
      let (said, given) = (folder.appending(path: "said"), folder.appending(path: "given"))
      try Data().write(to: said)
      try Data(input.utf8).write(to: given)
      let program = try Program(
        program.path, arguments, in: folder, input: .file(given), output: .file(said),
        errors: .file(said))
      let status = program.wait()
      // Read by a handle: Foundation's other ways leak a page for an empty file, which the leak check finds (Swift 6.3.1).
      let text = try FileHandle(forReadingFrom: said).readToEnd() ?? Data()
      return (status, String(decoding: text, as: UTF8.self))
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

    /// Where the program or the bundle of these tests lies, among others.
    static var placesOfTests: [String] {
      #if os(macOS)
        CommandLine.arguments + Bundle.allBundles.map(\.bundlePath)
      #else
        CommandLine.arguments
      #endif
    }

    /// The folder with `Lensed.swiftmodule`, beside the program or the bundle that holds these tests.
    private static func findModules() throws -> URL {
      let starts = placesOfTests
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
