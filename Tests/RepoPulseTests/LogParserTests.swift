import LensedTestSupport
import Testing

@testable import repo_pulse

@Suite struct LogParserTests {
  @Test func `a commit has its header and its files`() throws {
    var log = LogBytes()
    log.commit("abc", author: "Ada Lovelace", subject: "Add the engine")
    log.add("\n10\t2\tengine.swift")
    log.add("0\t7\tREADME.md")
    let expected = LogCommit(
      header: CommitAction(
        id: "abc", author: "Ada Lovelace",
        moment: Moment(day: try #require(Day("2024-02-29")), hour: 23),
        subject: "Add the engine", isMerge: false),
      files: [
        FileAction(path: "engine.swift", lines: Lines(added: 10, deleted: 2)),
        FileAction(path: "README.md", lines: Lines(added: 0, deleted: 7)),
      ])
    #expect(try log.parsed() == [expected])
  }

  @Test func `a log cut anywhere gives the same commits`() throws {
    var log = LogBytes()
    log.commit("1", author: "Łukasz", subject: "")
    log.add("\n1\t1\tdir/na\tme\nwith breaks")
    log.add("0\t0\t")
    log.add("old 🗑")
    log.add("new ✨")
    log.commit("2", parents: "a b", subject: "Merge")
    log.commit("3", parents: "")
    log.add("\n-\t-\tpicture.png")
    let whole = try log.parsed()
    #expect(whole.map(\.header.id) == ["1", "2", "3"])
    for size in 1...log.bytes.count {
      #expect(try log.parsed(inChunksOf: size) == whole, "in chunks of \(size)")
    }
  }

  @Test func `a rename gives both names`() throws {
    var log = LogBytes()
    log.commit()
    log.add("\n3\t1\t")
    log.add("before.swift")
    log.add("after.swift")
    #expect(
      try log.parsed().first?.files == [
        FileAction(
          path: "after.swift", formerPath: "before.swift", lines: Lines(added: 3, deleted: 1))
      ])
  }

  @Test func `a binary file has no lines`() throws {
    var log = LogBytes()
    log.commit()
    log.add("\n-\t-\tpicture.png")
    #expect(try log.parsed().first?.files == [FileAction(path: "picture.png", lines: nil)])
  }

  @Test func `a path may hold tabs, line breaks and the word commit`() throws {
    var log = LogBytes()
    log.commit()
    log.add("\n1\t0\tcommit a\tb\nc")
    #expect(try log.parsed().first?.files.map(\.path) == ["commit a\tb\nc"])
  }

  @Test func `bytes that are no UTF-8 are kept, and nothing is lost around them`() throws {
    var log = LogBytes()
    log.commit()
    log.bytes += Array("\n1\t0\tcaf".utf8) + [0xE9, 0]
    let path = try #require(try log.parsed().first?.files.first?.path)
    #expect(path.bytes == Array("caf".utf8) + [0xE9])
    #expect(path.text == "caf\u{FFFD}")
  }

  @Test func `two parents make a merge, one or none do not`() throws {
    var log = LogBytes()
    log.commit(parents: "a b")
    log.commit(parents: "a")
    log.commit(parents: "")
    #expect(try log.parsed().map(\.header.isMerge) == [true, false, false])
  }

  @Test(arguments: [
    "", "no date", "2024-13-01T00:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z",
  ])
  func `a date that is none leaves the commit without one`(date: String) throws {
    var log = LogBytes()
    log.commit(date: date)
    #expect(try log.parsed().map(\.header.moment) == [nil])
  }

  @Test func `an empty log has no commits`() throws {
    #expect(try LogBytes().parsed().isEmpty)
  }

  @Test func `a log that ends in the middle of a commit is refused`() throws {
    var log = LogBytes()
    log.commit()
    log.bytes.removeLast()
    #expect(throws: Failure.malformedLog("it ends in the middle of a commit")) {
      try log.parsed()
    }
  }

  @Test(
    arguments: ["1\tfile", "x\t1\tfile", "\n", "1\t99999999999999999999\tfile", "-\t1\tfile"]
      as [OneLine])
  func `a field that is neither a commit nor a file is refused`(field: OneLine) {
    var log = LogBytes()
    log.commit()
    log.add(field.text)
    #expect(
      throws: Failure.malformedLog("this is neither a commit nor a file: \(field.text)")
    ) { try log.parsed() }
  }

  @Test func `a file before the first commit is refused`() {
    var log = LogBytes()
    log.add("1\t1\tfile")
    #expect(throws: Failure.self) { try log.parsed() }
  }
}
