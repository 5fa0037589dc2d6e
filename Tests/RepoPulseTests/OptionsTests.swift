import Testing

@testable import repo_pulse

@Suite struct OptionsTests {
  @Test func `options and the folder come in any order`() throws {
    var expected = try Options([String]())
    expected.folder = "here"
    expected.isJSON = true
    expected.watchedAuthor = "Ada"
    expected.isFollowing = true
    #expect(try Options(["--json", "here", "--follow", "--watch", "Ada"]) == expected)
    #expect(try Options(["--watch=Ada", "--follow", "--json", "--", "here"]) == expected)
  }

  @Test func `a run is recorded in a file, and replayed from one`() throws {
    #expect(try Options(["--record", "run", "--json"]).recordedFile == "run")
    #expect(try Options(["--record=-run=1"]).recordedFile == "-run=1")
    #expect(try Options(["--replay", "run", "--watch", "Ada"]).replayedFile == "run")
    #expect(try Options(["--record", "run", "--follow", "here"]).folder == "here")
  }

  @Test func `after two dashes everything is a folder`() throws {
    #expect(try Options(["--", "--json"]).folder == "--json")
  }

  @Test(arguments: [
    ["--frob"], ["-x"], ["a", "b"], ["--watch"], ["--watch", ""], ["--watch="], [""],
    ["--record"], ["--record", ""], ["--record="], ["--record", "--json"], ["--recorder=a"],
    ["--replay"], ["--replay="], ["--replay", "-h"], ["--watch", "--json"],
    ["--record", "a", "--replay", "b"], ["--replay", "a", "--follow"], ["--replay", "a", "here"],
  ])
  func `what makes no sense is a fault of usage`(arguments: [String]) {
    let failure = #expect(throws: Failure.self) { try Options(arguments) }
    #expect(failure?.status == 64)
    #expect(failure?.message?.hasSuffix("Try 'repo-pulse --help'.") == true)
  }

  @Test func `the help names every option and fits a terminal`() {
    for option in ["--watch", "--follow", "--record", "--replay", "--json", "--help", "NO_COLOR"] {
      #expect(Options.help.contains(option))
    }
    for line in Options.help.split(separator: "\n") {
      #expect(line.count <= 92, "\(line)")
    }
  }
}
