import Foundation
import Lensed
import LensedPersistence
import LensedTesting
import Testing

@testable import lensed_inspect

@Suite("lensed-inspect, on the folder of a Persistence", .timeLimit(.minutes(30)))
struct FolderInspectionTests {
  /// What a shop keeps: a value, rows of the shop, and rows and keys that differ in all ways.
  private struct Kitchen: Sendable {
    var name = "Kitchen"
    var goods: Entities<Shop.Good> = []
    var prices: [String: Int] = [:]
    var jars: Entities<Jar> = []
  }

  /// A row whose id is not in its JSON.
  private struct Jar: Codable, Sendable, Equatable, Identifiable {
    var label: String
    var id: String { label }
  }

  private func makeDisk(_ folder: URL) throws -> Persistence<Kitchen> {
    try Persistence(in: folder, writing: .eachCommit, onFailure: { _ in }) {
      Kept(\.name, version: 3) { _, old in try old.decode(String.self) }
      KeptRows(\.goods)
      KeptRows(\.prices)
      KeptRows(\.jars)
    }
  }

  private struct Cook: Action {
    var change: @Sendable (inout Kitchen) -> Void
  }

  /// A folder with three commits, each of them a write.
  private func withFolder(
    _ more: [@Sendable (inout Kitchen) -> Void] = [],
    _ body: (URL, Store<Kitchen>, Persistence<Kitchen>) async throws -> Void
  ) async throws {
    try await Folder.run { parent in
      let folder = parent.appending(path: "kept")
      let disk = try makeDisk(folder)
      let store = try Store(initialState: Kitchen(), middleware: [disk]) {
        Mutator(\.self) { (kitchen: inout Kitchen, action: Cook) in action.change(&kitchen) }
      }
      let first: @Sendable (inout Kitchen) -> Void = {
        $0.name = "t\u{1B}wo"
        $0.goods = [
          Shop.Good(id: 7, title: "tea"), Shop.Good(id: 8, title: "rice"),
          Shop.Good(id: 9, title: "salt"),
        ]
        $0.prices = ["tea": 4, "rice": 2]
      }
      let second: @Sendable (inout Kitchen) -> Void = {
        $0.goods[id: 7]?.title = "green tea"
        _ = $0.goods.remove(id: 8)
        _ = $0.goods.move(id: 9, to: 0)
        _ = $0.goods.insert(Shop.Good(id: 10, title: "oil"), at: 1)
        $0.prices["tea"] = 5
        $0.prices["rice"] = nil
      }
      for change in [first, second] + more {
        store.dispatch(Cook(change: change))
        try await disk.sync()
      }
      try await body(folder, store, disk)
    }
  }

  @Test func `it shows the state that is kept, and a part or a row of it`() async throws {
    try await withFolder { folder, _, _ in
      // Also beside the program that has the folder.
      let goods = #"[{"id":9,"title":"salt"},{"id":10,"title":"oil"},{"id":7,"title":"green tea"}]"#
      #expect(Run(folder.path, "state", "goods", "--json").output == goods + "\n")
      #expect(Run(folder.path, "state", "goods[#7].title").output == "\"green tea\"\n")
      #expect(Run(folder.path, "state", "goods[1].id").output == "10\n")
      #expect(Run(folder.path, "state", "prices", "--json").output == #"{"tea":5}"# + "\n")
      let whole = try JSONText(parsing: Run(folder.path, "state").output.utf8)
      #expect(whole.members?.map(\.key) == ["goods", "jars", "name", "prices"])
      #expect(whole["jars"] == .list([]))
      let nothing = Run(folder.path, "state", "nothing")
      #expect(nothing.status == 1 && nothing.complaints == "There is nothing at `nothing`.\n")
    }
  }

  @Test func `a part within a part has its name, with the dot, in a path`() async throws {
    struct Theme: Codable, Sendable { var name = "dark", colours = [1, 2] }
    struct Nested: Sendable { var theme = Theme(), size = 3 }
    struct Settings: Sendable { var nested = Nested() }
    struct Enlarge: Action {}
    try await Folder.run { folder in
      let disk = try Persistence<Settings>(in: folder, writing: .eachCommit, onFailure: { _ in }) {
        Kept(\.nested.theme)
        Kept(\.nested.size)
      }
      let store = try Store(initialState: Settings(), middleware: [disk]) {
        Mutator(\.nested) { (nested: inout Nested, _: Enlarge) in nested.size += 1 }
      }
      store.dispatch(Enlarge())
      try await disk.close()
      let theme = try JSONText(parsing: Run(folder.path, "state", "nested.theme").output.utf8)
      #expect(theme["name"]?.string == "dark" && theme["colours"]?.list?.count == 2)
      #expect(Run(folder.path, "state", "nested.theme.name").output == "\"dark\"\n")
      #expect(Run(folder.path, "state", "nested.theme.colours[1]").output == "2\n")
      #expect(Run(folder.path, "state", "nested.size").output == "4\n")
      for path in ["nested", "nested.th", "nested.themes", "theme"] {
        #expect(Run(folder.path, "state", path).status == 1, "\(path)")
      }
    }
  }

  @Test func `it says what a folder has, as text and as JSON`() async throws {
    try await withFolder { folder, store, disk in
      try await disk.close()
      let last = store.commits
      let run = Run(folder.path)
      #expect(run.status == 0 && run.complaints.isEmpty)
      #expect(run.lines.first == "4 parts, 2 commits, the last one is #\(last)")
      #expect(run.lines[1].hasSuffix(" bytes in segment-1.lensed"))
      #expect(
        run.lines[2...] == [
          "`goods`, version 1: 3 rows", "`jars`, version 1: 0 rows", "`name`, version 3: a value",
          "`prices`, version 1: 1 rows", "whole",
        ])
      #expect(Run(folder.path, "check").output == run.output)
      let json = try JSONText(parsing: Run(folder.path, "check", "--json").output.utf8)
      #expect(json["whole"]?.bool == true && json["torn"] == .null && json["damage"] == .list([]))
      #expect(json["commits"]?.int == 2 && json["lastCommit"]?.int == Int(last))
      let bytes = try Data(contentsOf: folder.appending(path: "segment-1.lensed"))
      #expect(json["bytes"]?.int.map { (1...bytes.count).contains($0) } == true)
      #expect(json["parts"]?.list?.compactMap { $0["name"]?.string }.count == 4)
    }
  }

  @Test func `an unfinished write is said with its place, and is no damage`() async throws {
    try await withFolder { folder, _, disk in
      try await disk.close()
      let file = folder.appending(path: "segment-1.lensed")
      let bytes = try Data(contentsOf: file)
      try (bytes + Data("1a2b3c4d 400 {".utf8)).write(to: file)
      let run = Run(folder.path, "check")
      #expect(run.status == 0)
      #expect(
        run.output.contains(
          "segment-1.lensed ends in an unfinished write, from byte \(bytes.count) on"))
      let json = try JSONText(parsing: Run(folder.path, "check", "--json").output.utf8)
      #expect(json["torn"]?["byte"]?.int == bytes.count && json["whole"]?.bool == true)
      #expect(Run(folder.path, "state", "prices[#tea]").status == 1)
      #expect(Run(folder.path, "state", "prices.tea").output == "5\n")
      // Nothing was mended.
      #expect(try Data(contentsOf: file).count == bytes.count + 14)
    }
  }

  @Test func `damage is said with its file and byte, and a state that has some is not shown`()
    async throws
  {
    try await withFolder { folder, _, disk in
      try await disk.close()
      let file = folder.appending(path: "segment-1.lensed")
      var bytes = try Data(contentsOf: file)
      let place = try #require(bytes.range(of: Data("green".utf8))).lowerBound
      bytes[place] ^= 1
      try bytes.write(to: file)
      let run = Run(folder.path, "check")
      #expect(run.status == 1 && run.output.contains("segment-1.lensed is damaged at byte "))
      #expect(!run.lines.contains("whole"))
      let json = try JSONText(parsing: Run(folder.path, "check", "--json").output.utf8)
      #expect(json["whole"]?.bool == false && json["damage"]?.list?.count == 1)
      let damage = json["damage"]?.list?.first
      #expect(damage?["file"]?.string == "segment-1.lensed")
      #expect(damage?["byte"]?.int.map { $0 <= place && $0 > place - 200 } == true)
      let state = Run(folder.path, "state")
      #expect(state.status == 1 && state.output.isEmpty && state.complaints.contains("at byte"))
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  @Test func `rows that have no id in their JSON are shown until one of them changes`()
    async throws
  {
    let fill: @Sendable (inout Kitchen) -> Void = {
      $0.jars = [Jar(label: "plum"), Jar(label: "fig")]
    }
    try await withFolder([fill]) { folder, store, disk in
      #expect(
        Run(folder.path, "state", "jars", "--json").output
          == #"[{"label":"plum"},{"label":"fig"}]"# + "\n")
      store.dispatch(Cook { _ = $0.jars.remove(id: "plum") })
      try await disk.sync()
      let run = Run(folder.path, "check")
      let sentence = "rows without an `id` in their JSON: only the program tells them apart"
      #expect(run.status == 0 && run.complaints.isEmpty && run.lines.last == "whole")
      #expect(run.lines.contains("`jars`, version 1: \(sentence)"))
      let json = try JSONText(parsing: Run(folder.path, "check", "--json").output.utf8)
      #expect(json["whole"]?.bool == true && json["damage"] == .list([]))
      let jars = json["parts"]?.list?.first { $0["name"]?.string == "jars" }
      #expect(jars?["rows"] == .null)
      // The other parts are shown.
      let state = Run(folder.path, "state", "--json")
      #expect(state.status == 1 && state.complaints == "`jars` is not shown: it has \(sentence).\n")
      let parts = try JSONText(parsing: state.output.utf8).members?.map(\.key)
      #expect(parts == ["goods", "name", "prices"])
      #expect(Run(folder.path, "state", "goods[1].id").output == "10\n")
      let part = Run(folder.path, "state", "jars[0].label")
      #expect(part.status == 1 && part.complaints == state.complaints && part.output.isEmpty)
      // Whatever else becomes of them.
      store.dispatch(Cook { $0.jars[id: "fig"] = Jar(label: "fig") })
      store.dispatch(Cook { _ = $0.jars.insert(Jar(label: "kiwi"), at: 0) })
      store.dispatch(Cook { $0.jars.append(Jar(label: "lime")) })
      try await disk.sync()
      #expect(Run(folder.path, "check").output.contains("`jars`, version 1: \(sentence)"))
    }
  }

  @Test func `of a folder with a snapshot it says the same as the store has`() async throws {
    try await withFolder { folder, store, disk in
      try await disk.close()
      var options = PersistenceOptions(writing: .eachCommit, onFailure: { _ in })
      options.minimalSegments = 100
      let parts = PersistenceBuilder.buildExpression(KeptRows(\Kitchen.goods))
      let second = try Persistence<Kitchen>(in: folder, parts, options)
      let store = try Store(initialState: Kitchen(), middleware: [second]) {
        Mutator(\.self) { (kitchen: inout Kitchen, action: Cook) in action.change(&kitchen) }
      }
      for number in 20..<40 {
        store.dispatch(Cook { $0.goods.append(Shop.Good(id: number, title: "\(number)")) })
        try await second.sync()
      }
      try await second.close()
      #expect(Run(folder.path, "check").output.contains("snapshot-"))
      let titles = Run(folder.path, "state", "goods", "--json").output
      let ids = try JSONText(parsing: titles.utf8).list?.compactMap { $0["id"]?.int }
      #expect(ids == store.goods.map(\.id))
    }
  }

  @Test func `what is no folder of a persistence is a sentence, and so is a file of one`()
    async throws
  {
    try await withFolder { folder, _, _ in
      let parent = folder.deletingLastPathComponent()
      let empty = Run(parent.path, "check")
      #expect(empty.status == 1 && empty.complaints.contains("no segment and no snapshot"))
      for command in ["check", "state", "actions"] {
        let piece = Run(folder.appending(path: "segment-1.lensed").path, command)
        #expect(piece.status == 1)
        #expect(piece.complaints.contains("give the folder, lensed-inspect \(folder.path) check"))
      }
      let all = parent.appending(path: "group")
      let group = try PersistenceGroup(in: all)
      #expect(Run(all.path).complaints.contains("is the folder of a PersistenceGroup"))
      try group.close()
      for arguments in [["actions"], ["redux"], ["state", "--at", "1"], ["check", "--to", "a"]] {
        let texts = Recorder<String>()
        let status = InspectCommand.run(
          [folder.path] + arguments, Output(to: { _ in true }, complaining: { texts.append($0) }))
        #expect(status == 2 && texts.values.joined().contains("--help"), "\(arguments)")
      }
      let newer = parent.appending(path: "newer")
      try FileManager.default.createDirectory(at: newer, withIntermediateDirectories: false)
      var (writer, bytes) = (RecordWriter(), [UInt8]())
      writer.add(#"{"segment":1,"format":9}"#.utf8, to: &bytes)
      try Data(bytes).write(to: newer.appending(path: "segment-1.lensed"))
      let run = Run(newer.path, "check")
      #expect(run.status == 1 && run.complaints.contains("has format 9"))
    }
  }
}

extension Store {
  /// The number of the last commit.
  fileprivate var commits: UInt64 { asScope.readSettledState { _, _, _ in () }.revision }
}
