#if os(Linux) || os(macOS)
  import Foundation

  extension Program {
    /// Starts a program of this package, which was built beside the tests.
    ///
    /// - Parameters:
    ///   - name: Its name in the package.
    ///   - arguments: What follows its name.
    ///   - input: What it reads.
    ///   - output: Where its results go.
    /// - Throws: Why it could not be started.
    public convenience init(
      builtBesideTheTests name: String, _ arguments: [String], input: Stream = .nothing,
      output: Stream = .inherited
    ) throws {
      let tests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      try self.init(
        tests.appending(path: name).path, arguments, input: input, output: output)
    }
  }
#endif
