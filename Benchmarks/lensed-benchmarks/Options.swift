/// The options on the command line.
struct Options {
  var words: [String] = []
  var isListing = false
  var isHelping = false
  var isQuick = false
  var isChecking = false
  var json: String?
  var earlier: String?
  var plot: String?
  var overview: String?
  var markdown: String?
  var soak: Duration?

  /// An invalid command line, with a sentence for the user.
  struct UsageError: Error {
    let sentence: String
  }

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = Array(arguments.reversed())
    var others: Set<String> = []
    while let argument = rest.popLast() {
      let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = halves.first.map(String.init) ?? argument
      // `--json=FILE` and `--json FILE` are the same.
      if halves.count == 2, Self.wantsValue.contains(option) { rest.append(String(halves[1])) }
      switch Self.wantsValue.contains(option) ? option : argument {
      case "--filter": words.append(try Self.value(of: option, from: &rest))
      case "--json": json = try Self.value(of: option, from: &rest)
      case "--compare": earlier = try Self.value(of: option, from: &rest)
      case "--plot": plot = try Self.value(of: option, from: &rest)
      case "--overview": overview = try Self.value(of: option, from: &rest)
      case "--markdown": markdown = try Self.value(of: option, from: &rest)
      case "--soak": soak = try Self.seconds(Self.value(of: option, from: &rest))
      case "--list": isListing = true
      case "--quick": isQuick = true
      case "--check": isChecking = true
      case "--help", "-h": isHelping = true
      default: throw UsageError(sentence: "\(argument) is no option.")
      }
      others.insert(option)
    }
    others.subtract(["--soak", "--help", "-h"])
    if soak != nil, let other = others.sorted().first, !isHelping {
      throw UsageError(
        sentence: "--soak measures nothing, so it cannot be combined with \(other).")
    }
  }

  private static let wantsValue: Set = [
    "--filter", "--json", "--compare", "--plot", "--overview", "--markdown", "--soak",
  ]

  private static func value(
    of option: String, from rest: inout [String]
  ) throws(UsageError) -> String {
    guard let value = rest.popLast(), !value.isEmpty else {
      throw UsageError(sentence: "\(option) needs a value.")
    }
    return value
  }

  private static func seconds(_ text: String) throws(UsageError) -> Duration {
    // At most a year, which a clock can add to the current time.
    guard let seconds = Double(text), (0.001...31_536_000).contains(seconds) else {
      throw UsageError(
        sentence: "--soak needs a number of seconds, from 0.001 to 31536000, not \(text).")
    }
    return .seconds(seconds)
  }

  static let usage = """
    usage: lensed-benchmarks [options]

    Measures Lensed against the same work written by hand, interleaved in one process.

      --filter WORD    measure only benchmarks with WORD in their name or title; repeatable
      --list           list the benchmarks, and measure nothing
      --quick          take few short samples; ratios get 2.5x head-room and a second attempt
      --check          exit with 1 if a ratio misses its target, or if a benchmark allocates
                       that must not
      --json FILE      write the results to FILE
      --compare FILE   compare the results with those in FILE, written by --json
      --plot FILE.svg  draw the results
      --overview FILE.svg
                       draw the few results that the README shows
      --markdown FILE  write the results as tables into FILE, between its marks
      --soak SECONDS   run the stress test of the tests for that long, at most a year, and exit
                       with 1 if a guarantee is broken; cannot be combined with other options
      --help           show this text

    Run it in a release build, with nothing else running:
      swift run -c release lensed-benchmarks
    """
}
