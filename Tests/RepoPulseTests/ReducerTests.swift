import Lensed
import Testing

@testable import repo_pulse

@Suite struct ReducerTests {
  private func commit(
    by author: ByteString = "Ada", on day: String = "2024-01-01", hour: Int = 9,
    subject: String = "",
    isMerge: Bool = false
  ) throws -> CommitAction {
    CommitAction(
      id: "id", author: author, moment: Moment(day: try #require(Day(day)), hour: hour),
      subject: subject, isMerge: isMerge)
  }

  private func changed(_ author: ByteString, _ added: Int, _ deleted: Int) -> ElementAction<
    ByteString, AuthorAction
  > {
    ElementAction(id: author, action: .changed(Lines(added: added, deleted: deleted)))
  }

  // MARK: Totals

  @Test func `totals count commits, merges, files, lines and every action`() throws {
    var totals = Totals()
    Totals.reducer.reduce(&totals, try commit(on: "2024-03-02"))
    Totals.reducer.reduce(&totals, try commit(on: "2024-03-01", isMerge: true))
    Totals.reducer.reduce(&totals, FileAction(path: "a", lines: Lines(added: 5, deleted: 3)))
    Totals.reducer.reduce(&totals, FileAction(path: "b", lines: nil))
    Totals.reducer.reduce(&totals, changed("Ada", 5, 3))
    #expect(
      totals
        == Totals(
          head: "id", commits: 2, merges: 1, fileChanges: 2, binaryChanges: 1,
          lines: Lines(added: 5, deleted: 3), actions: 5, reached: Day("2024-03-01")))
  }

  // MARK: Authors

  @Test func `a commit makes room for its author, and the author's share fills it`() throws {
    var authors: Entities<Author> = []
    Author.directory.reduce(&authors, try commit(by: "Ada"))
    #expect(authors == [Author(name: "Ada")])
    let day = try #require(Day("2024-01-01"))
    Author.directory.reduce(
      &authors, ElementAction(id: "Ada" as ByteString, action: AuthorAction.committed(day)))
    Author.directory.reduce(&authors, changed("Ada", 4, 1))
    #expect(
      authors == [
        Author(
          name: "Ada", commits: 1, lines: Lines(added: 4, deleted: 1), firstDay: day, lastDay: day)
      ])
  }

  @Test func `a share of an author nobody has met changes nothing`() {
    var authors: Entities<Author> = []
    Author.directory.reduce(&authors, changed("Nobody", 1, 1))
    #expect(authors.isEmpty)
  }

  @Test func `a second commit keeps what the author had`() throws {
    var authors: Entities<Author> = [Author(name: "Ada", commits: 7)]
    Author.directory.reduce(&authors, try commit(by: "Ada"))
    #expect(authors == [Author(name: "Ada", commits: 7)])
  }

  @Test func `an author's days reach from the first to the last, in whatever order they come`() {
    var author = Author()
    for day in ["2024-02-01", "2023-05-05", "2024-01-01"] {
      Author.reducer.reduce(&author, AuthorAction.committed(Day(day)))
    }
    Author.reducer.reduce(&author, AuthorAction.committed(nil))
    #expect(author.commits == 4)
    #expect(author.firstDay == Day("2023-05-05"))
    #expect(author.lastDay == Day("2024-02-01"))
  }

  // MARK: Files

  private func files(after actions: [FileAction]) -> Entities<File> {
    var files: Entities<File> = []
    for action in actions {
      File.reducer.reduce(&files, action)
    }
    return files
  }

  private func changes(after actions: [FileAction]) -> [ByteString: Int] {
    let changed = files(after: actions).filter { $0.changes > 0 }
    return Dictionary(uniqueKeysWithValues: changed.map { ($0.name, $0.changes) })
  }

  private let line = Lines(added: 1, deleted: 0)

  @Test func `a renamed file counts under its new name`() {
    let files = files(after: [
      FileAction(path: "new", lines: line),
      FileAction(path: "new", formerPath: "old", lines: line),
      FileAction(path: "old", lines: line),
    ])
    #expect(
      files == [
        File(name: "new", changes: 3, lines: Lines(added: 3, deleted: 0)),
        File(name: "old", today: "new"),
      ])
  }

  @Test func `a file renamed twice counts under its last name`() {
    #expect(
      changes(after: [
        FileAction(path: "c", formerPath: "b", lines: line),
        FileAction(path: "b", formerPath: "a", lines: line),
        FileAction(path: "a", lines: line),
      ]) == ["c": 3])
  }

  @Test func `a name given to another file later stays with that file`() {
    #expect(
      changes(after: [
        FileAction(path: "old", lines: line),
        FileAction(path: "new", formerPath: "old", lines: line),
        FileAction(path: "old", lines: line),
      ]) == ["old": 1, "new": 2])
  }

  @Test func `a file that got its name back counts under it throughout`() {
    #expect(
      changes(after: [
        FileAction(path: "a", formerPath: "b", lines: line),
        FileAction(path: "b", formerPath: "a", lines: line),
        FileAction(path: "a", lines: line),
      ]) == ["a": 3])
  }

  @Test func `a binary file changes without lines`() {
    #expect(
      files(after: [FileAction(path: "p", lines: nil)]) == [File(name: "p", changes: 1)])
  }

  // MARK: Activity

  @Test func `days and hours are counted, but for a commit without a date`() throws {
    let store = try PulseState.store()
    store.dispatch(try commit(hour: 23))
    store.dispatch(try commit(hour: 9))
    store.dispatch(CommitAction(id: "", author: "", moment: nil, subject: "", isMerge: false))
    #expect(store.days == [Tally(id: try #require(Day("2024-01-01")), count: 2)])
    #expect(store.hours == [Tally(id: 23, count: 1), Tally(id: 9, count: 1)])
    #expect(store.totals.commits == 3)
  }

  // MARK: Words

  private func words(of subjects: [String]) throws -> [String: Int] {
    var words: Entities<Tally<String>> = []
    for subject in subjects {
      Words.reducer.reduce(&words, try commit(subject: subject))
    }
    return Dictionary(uniqueKeysWithValues: words.map { ($0.id, $0.count) })
  }

  @Test func `words are counted in lower case, without the small ones`() throws {
    let words = try words(of: ["Fix the parser: fix IT, #123 (parser/Ärger) 🎉🎉🎉"])
    #expect(words == ["fix": 2, "parser": 2, "ärger": 1])
  }

  @Test func `a vocabulary that grows too large forgets its rarest words`() throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let rare = (0...Words.limit).map { number in
      "x" + String([1, 26, 676, 17_576].map { letters[number / $0 % 26] })
    }
    let words = try words(of: ["common words", "common words"] + rare)
    #expect(words.count <= Words.limit)
    #expect(words["common"] == 2)
  }
}
