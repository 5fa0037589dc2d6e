import Foundation
import Lensed
import LensedTestSupport
import LensedTesting
import Testing

/// What the article `GettingStarted` shows, word for word: between the marks stand the very lines of its code.
@Suite("Contract: the code of the article Getting started", .timeLimit(.minutes(30)))
struct GettingStartedGuideTests {
  // GUIDE: The state
  struct Weather: Sendable, Equatable {
    var city = ""
    var degrees: Int?
    var failure: String?
  }

  struct CityChosen: Action, Equatable { let name: String }
  struct Measured: Action, Equatable { let degrees: Int }
  struct MeasuringFailed: Action, Equatable { let reason: String }
  // GUIDE: end

  private static func makeWeather(_ station: Station) -> Feature<Weather> {
    // GUIDE: One mutator
    let cityReducer = Mutator(\Weather.city) { (city: inout String, action: CityChosen) in
      city = action.name
    }
    // GUIDE: end
    return Weathers(cityReducer: cityReducer).weather(station)
  }

  // In the article these lines stand at the top of a file, and `cityReducer` above them.
  private struct Weathers {
    let cityReducer: Mutator<Weather, String>

    // GUIDE: The feature
    struct Station: Sendable {
      var degrees: @Sendable (_ city: String) async throws -> Int
    }

    func weather(_ station: Station) -> Feature<Weather> {
      Feature {
        cityReducer
        Mutator(\.degrees) { (degrees: inout Int?, action: Measured) in
          degrees = action.degrees
        }
        .on(CityChosen.self) { degrees, _ in degrees = nil }
        Mutator(\.failure) { (failure: inout String?, action: MeasuringFailed) in
          failure = action.reason
        }
        .on(CityChosen.self) { failure, _ in failure = nil }
        Effect(
          on: CityChosen.self, .latest,
          catch: { error, context in context.dispatch(MeasuringFailed(reason: "\(error)")) },
          { chosen, _ in Measured(degrees: try await station.degrees(chosen.name)) })
      }
    }
    // GUIDE: end
  }
  private typealias Station = Weathers.Station

  private func weather(_ station: Station) -> Feature<Weather> { Self.makeWeather(station) }

  @Test func `the program prints what the article says`() async throws {
    let printed = Recorder<String>()
    @Sendable func print(_ line: String) { printed.append(line) }

    // GUIDE: The program
    let station = Station { city in city.count * 3 }
    let store = try Store(initialState: Weather(), weather(station))
    let subscription = store.states(\.degrees).subscribe { degrees in
      print(degrees.map { "\($0) °C" } ?? "…")
    }
    try await store.dispatch(CityChosen(name: "Oslo")).finish()
    subscription.cancel()
    // GUIDE: end

    #expect(printed.values == ["…", "12 °C"])
  }

  @Test func `a property without a reducer is refused in the words of the article`() throws {
    let error = #expect(throws: RegistrationError.self) {
      _ = try Store(initialState: Weather()) {
        Mutator(\.city) { (city: inout String, action: CityChosen) in city = action.name }
        Mutator(\.degrees) { (degrees: inout Int?, action: Measured) in
          degrees = action.degrees
        }
      }
    }
    let message = error.map { "\($0)" } ?? ""
    let text = try String(contentsOf: CodeRegions.article("GettingStarted"), encoding: .utf8)
    #expect(text.contains("```text\n\(message)\n```"), "\(message)")
  }

  // GUIDE: The test
  @Test func `the weather of the newest city is shown`() async throws {
    let gate = Gate()
    let station = Station { city in
      try await gate.wait()
      return city.count * 3
    }
    let test = try TestStore(initialState: Weather(), weather(station))
    await test.dispatch(CityChosen(name: "Oslo")) { $0.city = "Oslo" }
    await test.dispatch(CityChosen(name: "Lima")) { $0.city = "Lima" }
    gate.open()
    await test.receive(Measured(degrees: 12)) { $0.degrees = 12 }
    await test.finish()
  }
  // GUIDE: end

  @Test func `the article shows these very lines, and a manifest`() throws {
    let blocks = try CodeRegions.swiftBlocks(ofArticle: "GettingStarted")
    let marked = try CodeRegions.marked("GUIDE", in: #filePath)
    #expect(marked.count == 5)
    #expect(Array(blocks.dropFirst()) == marked)
    // The steps of the tutorials are compiled with this one.
    #expect(blocks.first?.first == "// swift-tools-version: 6.2")
  }
}
