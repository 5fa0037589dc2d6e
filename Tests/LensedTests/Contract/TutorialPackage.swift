#if os(macOS) || os(Linux)
  import Foundation
  import LensedTestSupport

  /// What the reader of a tutorial has in its package after a step.
  struct TutorialPackage {
    /// What is wrong with a tutorial.
    struct Fault: Error, CustomStringConvertible {
      let description: String
    }

    /// The file in the catalogue that the step shows.
    let step: String
    /// The name of that file in the reader's package.
    let shown: String
    /// All files there, by their names.
    let files: [String: URL]

    private static let folder = CodeRegions.package
      .appending(path: "Sources/Lensed/Lensed.docc/Tutorials")

    /// The package after each step of a tutorial.
    static func steps(of tutorial: String) throws -> [TutorialPackage] {
      let text = try String(
        contentsOf: folder.appending(path: "\(tutorial).tutorial"), encoding: .utf8)
      var files: [String: URL] = [:]
      return try text.matches(of: /@Code\(name: "([^"]+)", file: "([^"]+)"\)/).map { match in
        let (name, step) = (String(match.1), String(match.2))
        let module = step.prefix { $0 != "-" }
        files[name] = folder.appending(path: "\(module)/\(step)")
        guard let file = files[name], FileManager.default.fileExists(atPath: file.path) else {
          throw Fault(description: "\(tutorial) shows \(step), which is not there.")
        }
        return TutorialPackage(step: step, shown: name, files: files)
      }
    }

    /// The names of all files for steps in the catalogue.
    static func allStepFiles() throws -> Set<String> {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      return Set(
        paths.filter { $0.hasSuffix(".swift") }.map { URL(filePath: $0).lastPathComponent })
    }

    var module: String { String(step.prefix { $0 != "-" }) }
    var isProgram: Bool { files["main.swift"] != nil }
    private var sources: [String] { files.keys.filter { !$0.hasSuffix("Tests.swift") }.sorted() }

    /// What the compiler says against the file that the step shows, among the other ones of its package.
    func complaints(of compiler: SwiftCompiler) throws -> String {
      try inFolder { folder in
        if shown == "Package.swift" { return try checkManifest(compiler, folder) }
        let sources = sources.filter { $0 != "Package.swift" }
        let strict = compiler.library + ["-warnings-as-errors", "-enable-testing"]
        let main = isProgram ? [] : ["-parse-as-library"]
        if !shown.hasSuffix("Tests.swift") {
          return try run(
            compiler, ["-typecheck", "-module-name", module] + strict + main + sources, folder)
        }
        let built = try run(
          compiler, ["-emit-module", "-module-name", module] + strict + main + sources, folder)
        if !built.isEmpty { return built }
        return try run(
          compiler, ["-typecheck", "-parse-as-library", "-I", folder.path] + strict + [shown],
          folder)
      }
    }

    /// Builds the program and runs it.
    func output(_ compiler: SwiftCompiler, reading input: String) throws -> (
      status: Int32, said: String
    ) {
      try inFolder { folder in
        let build = compiler.modules.deletingLastPathComponent()
        let objects = try ["Lensed", "LensedThread"].flatMap { target in
          // Those of files that were renamed stay in the folder of the build.
          let known = Set(
            try FileManager.default.subpathsOfDirectory(
              atPath: CodeRegions.package.appending(path: "Sources/\(target)").path
            ).map { URL(filePath: $0).lastPathComponent })
          let folder = build.appending(path: "\(target).build")
          return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { path in
              let name = URL(filePath: path).lastPathComponent
              return name.hasSuffix(".o")
                && (!name.hasSuffix(".swift.o") || known.contains(String(name.dropLast(2))))
            }
            .map { folder.appending(path: $0).path }
        }
        let sources = sources.filter { $0 != "Package.swift" }
        let said = try run(
          compiler,
          compiler.library + ["-warnings-as-errors", "-module-name", module, "-o", "program"]
            + sources + objects,
          folder)
        guard said.isEmpty else { throw Fault(description: said) }
        return try SwiftCompiler.run(
          folder.appending(path: "program"), [], in: folder, reading: input)
      }
    }

    private func checkManifest(_ compiler: SwiftCompiler, _ folder: URL) throws -> String {
      let descriptions = compiler.compiler.resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "lib/swift/pm/ManifestAPI")
      return try run(
        compiler,
        [
          "-typecheck", "-swift-version", "6", "-package-description-version", "6.2.0",
          "-I", descriptions.path, shown,
        ], folder)
    }

    private func run(
      _ compiler: SwiftCompiler, _ arguments: [String], _ folder: URL
    ) throws -> String {
      let (status, said) = try SwiftCompiler.run(compiler.compiler, arguments, in: folder)
      return status == 0 ? "" : said
    }

    /// Lays the files out as the reader does.
    private func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "lensed-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for (name, file) in files {
        try FileManager.default.copyItem(at: file, to: folder.appending(path: name))
      }
      return try body(folder)
    }
  }
#endif
