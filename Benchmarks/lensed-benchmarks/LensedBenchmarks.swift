import Foundation

@main
struct LensedBenchmarks {
  /// The exit status of the program, numbered as in `sysexits.h`.
  private enum Status: Int32 {
    case success = 0
    case failure = 1
    case usage = 64
    case noInput = 66
    case software = 70
    case cannotCreate = 73
  }

  static func main() async {
    let status = await run(CommandLine.arguments.dropFirst())
    exit(status.rawValue)
  }

  // Off the main actor, where `main` runs: each `await` there would hop to it and back, which costs
  // more than most benchmarks.
  @concurrent
  private static func run(_ arguments: ArraySlice<String>) async -> Status {
    let options: Options
    do throws(Options.UsageError) {
      options = try Options(arguments)
    } catch {
      complain("\(error.sentence)\n\n\(Options.usage)")
      return .usage
    }
    if options.isHelping {
      print(Options.usage)
      return .success
    }
    if let time = options.soak { return await Soak(time: time).holds() ? .success : .failure }
    let suite = Suite.everything.filtered(by: options.words)
    guard !suite.isEmpty else {
      complain(
        "No benchmark has \(options.words.joined(separator: " or ")) in its name; see --list.")
      return .usage
    }
    if options.isListing {
      print(Catalogue(suite: suite).text)
      return .success
    }
    return await measure(suite, options)
  }

  private static func measure(_ suite: Suite, _ options: Options) async -> Status {
    #if DEBUG
      complain("This build is not optimised, so its results mean nothing: use -c release.")
    #endif
    // Files are checked before the measuring, which takes long.
    for path in [options.json, options.plot, options.overview, options.markdown].compactMap({ $0 })
    where !isWritable(path) {
      complain("\(path) cannot be written: its folder is missing or not writable.")
      return .cannotCreate
    }
    var earlier: Report?
    if let path = options.earlier {
      do { earlier = try Report(contentsOf: path) } catch {
        complain("\(path) is missing, or was not written by --json.")
        return .noInput
      }
    }
    print(Introduction(suite: suite, isQuick: options.isQuick).text)
    let report: Report
    do {
      report = try await Run(suite: suite, effort: options.isQuick ? .quick : .full).report()
    } catch {
      complain("The run stopped: \(error)")
      return .software
    }
    print(ReportText(report: report).text)
    if let earlier { print("\n\(ComparisonText(now: report, then: earlier).text)") }
    do {
      if let path = options.json { try report.write(to: path) }
      let plot = Plot(report: report)
      if let path = options.plot { try Plot.write(plot.document, to: path) }
      if let path = options.overview { try Plot.write(plot.overview, to: path) }
      if let path = options.markdown { try MarkdownReport(report: report).write(to: path) }
    } catch {
      complain("A file could not be written: \(error)")
      return .cannotCreate
    }
    return options.isChecking && report.misses ? .failure : .success
  }

  private static func isWritable(_ path: String) -> Bool {
    let files = FileManager.default
    if files.fileExists(atPath: path) { return files.isWritableFile(atPath: path) }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return files.isWritableFile(atPath: folder)
  }

  private static func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }
}
