/// What the command line asks for.
struct Options {
  var words: [String] = []
  var isListing = false
  var isHelping = false
  var isQuick = false
  var isChecking = false
  var json: String?
  var earlier: String?
  var plot: String?
  var soak: Duration?

  /// Something on the command line that means nothing, in words.
  struct Misunderstanding: Error {
    let sentence: String
  }

  init(_ arguments: some Sequence<String>) throws(Misunderstanding) {
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
      case "--soak": soak = try Self.seconds(Self.value(of: option, from: &rest))
      case "--list": isListing = true
      case "--quick": isQuick = true
      case "--check": isChecking = true
      case "--help", "-h": isHelping = true
      default: throw Misunderstanding(sentence: "I do not know \(argument).")
      }
      others.insert(option)
    }
    others.subtract(["--soak", "--help", "-h"])
    if soak != nil, let other = others.sorted().first, !isHelping {
      throw Misunderstanding(
        sentence: "--soak measures nothing, so \(other) means nothing with it.")
    }
  }

  private static let wantsValue: Set = ["--filter", "--json", "--compare", "--plot", "--soak"]

  private static func value(
    of option: String, from rest: inout [String]
  ) throws(Misunderstanding) -> String {
    guard let value = rest.popLast(), !value.isEmpty else {
      throw Misunderstanding(sentence: "\(option) needs something after it.")
    }
    return value
  }

  private static func seconds(_ text: String) throws(Misunderstanding) -> Duration {
    // A clock can add a year to what it shows.
    guard let seconds = Double(text), (0.001...31_536_000).contains(seconds) else {
      throw Misunderstanding(
        sentence: "--soak needs a number of seconds, from 0.001 to 31536000, and \(text) is none.")
    }
    return .seconds(seconds)
  }

  static let usage = """
    usage: lensed-benchmarks [options]

    Measures Lensed against the same work written by hand, both interleaved in one process.

      --filter WORD    only what has WORD in its name or title; may be given several times
      --list           show what there is to measure, and measure nothing
      --quick          few short samples; ratios get 2.5x head-room and a
                       second attempt
      --check          exit with 1 when a ratio misses its target, or something allocates
                       that must not
      --json FILE      keep the figures in FILE
      --compare FILE   show how they differ from those that --json kept in FILE
      --plot FILE.svg  draw them
      --soak SECONDS   measure nothing; let threads, tasks, observers and stores come and go
                       for so long, a year at most, and exit with 1 when a guarantee does not
                       hold; it goes with no other option
      --help           show this

    Run it built for release, with nothing else running:
      swift run -c release lensed-benchmarks
    """
}
