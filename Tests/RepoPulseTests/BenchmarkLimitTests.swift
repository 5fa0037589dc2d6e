import Foundation
import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite(
  "The document of the benchmarks states the limits of the program",
  .enabled(if: Executable("lensed-benchmarks") != nil))
struct BenchmarkLimitTests {
  /// A row of `--list`.
  private struct Benchmark {
    let name: String
    let title: String
    let atMost: String
    let aim: String
  }

  /// The benchmarks, as the program lists them.
  private static func listed() async throws -> [Benchmark] {
    let program = try #require(Executable("lensed-benchmarks"))
    let output = try await program.run(["--list"], in: TemporaryRepository.sample()).output
    let lines = output.split(separator: "\n").map { Array($0) }
    let start = try #require(lines.firstIndex { $0.starts(with: "---") })
    let ruler = lines[start]
    // Cells may be empty, so a column is known by its place.
    let columns = ruler.indices.filter { ruler[$0] == "-" && ($0 == 0 || ruler[$0 - 1] == " ") }
    return lines[(start + 1)...].map { line in
      let cells = columns.indices.map { column in
        let end = column + 1 < columns.count ? columns[column + 1] : line.count
        let cell = line[min(columns[column], line.count)..<min(end, line.count)]
        return String(cell).trimmingCharacters(in: .whitespaces)
      }
      return Benchmark(name: cells[0], title: cells[1], atMost: cells[2], aim: cells[3])
    }
  }

  /// The rows of the tables between the marks of the document, by their titles.
  private static func documented() throws -> [String: [String]] {
    let file = CodeRegions.package.appending(path: "docs/benchmarks.md")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let begin = try #require(lines.firstIndex { $0.contains("measured: begin") })
    let end = try #require(lines.firstIndex { $0.contains("measured: end") })
    let rows = lines[begin..<end].filter { $0.hasPrefix("| ") }
      .map { $0.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
    // Of a curve, the first line has the limit.
    return Dictionary(rows.map { ($0[0], $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `each limit, each aim and each size`() async throws {
    let (listed, documented) = (try await Self.listed(), try Self.documented())
    #expect(listed.count > 60)
    for benchmark in listed {
      let ending = /, in a second$|, in memory$|, [0-9,]+ to [0-9,]+$/
      let title = benchmark.title.replacing(ending, with: "")
      let row = try #require(documented[title], "\(benchmark)")

      if benchmark.name.hasPrefix("curve-") {
        let sizes = row[5].split(separator: ", ").map { $0.prefix { $0 != ":" } }
        #expect(row[4] == benchmark.atMost, "\(title)")
        #expect(benchmark.title == "\(title), \(sizes[0]) to \(sizes[sizes.count - 1])")
      } else if benchmark.title.hasSuffix(", in memory") {
        #expect((row[2], row[3]) == (benchmark.atMost, benchmark.aim), "\(title)")
      } else if !benchmark.title.hasSuffix(", in a second") {
        #expect((row[4], row[5]) == (benchmark.atMost, benchmark.aim), "\(title)")
      }
    }
  }
}
