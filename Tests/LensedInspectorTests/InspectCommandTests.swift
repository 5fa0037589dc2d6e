import Foundation
import Lensed
import LensedPersistence
import LensedTesting
import Testing

@testable import lensed_inspect

@Suite("lensed-inspect", .timeLimit(.minutes(30)))
struct InspectCommandTests {
  private func withSession(_ body: (String) throws -> Void) async throws {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      try Shop.record(file) { store in
        store.dispatch(Rename(name: "one"))
        store.dispatch([AddGood(id: 7, title: "tea"), AddGood(id: 8, title: "rice")])
        store.dispatch(Add(by: 5))
        store.dispatch(Rename(name: "t\u{1B}[31mwo\u{202E}"))
        store.dispatch(Secret(text: "swordfish"))
      }
      try body(file.path)
    }
  }

  @Test func `it lists the commits, as text and as JSON`() async throws {
    try await withSession { file in
      let run = Run(file, "actions")
      #expect(run.status == 0)
      #expect(
        run.lines.first == #"#1 0.000 dispatch Rename(name: "one")"#)
      #expect(run.lines.count == 5)
      #expect(!run.output.contains("\u{1B}") && !run.output.contains("\u{202E}"))
      #expect(!run.output.contains("swordfish") && run.lines[4].contains("Secret"))
      let json = Run(file, "actions", "--json")
      let first = try JSONText(parsing: json.lines[0].utf8)
      #expect(first["actions"]?.list?.first?["value"]?["name"]?.string == "one")
      #expect(first["parts"]?.list == [.string("name")])
    }
  }

  @Test func `it shows a state, a part of it, and a row`() async throws {
    try await withSession { file in
      #expect(
        Run(file, "state", "--at", "1", "--json").output == #"{"name":"one","count":0,"goods":[]}"#
          + "\n")
      #expect(Run(file, "state", "count").output == "5\n")
      #expect(Run(file, "state", "goods[#8].title").output == "\"rice\"\n")
      #expect(Run(file, "state", "goods[0].id").output == "7\n")
      #expect(Run(file, "state", "nothing").status == 1)
      let late = Run(file, "state", "--at", "99")
      #expect(late.status == 1 && late.complaints.contains("its last one is 5"))
    }
  }

  @Test func `a state has no character that a terminal obeys, and stays the JSON that it is`()
    async throws
  {
    let name =
      "a\u{1B}[31m\u{7F}\u{9B}31m\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{61C}\u{2028}\u{E0001}é"
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      try Shop.record(file) { $0.dispatch(Rename(name: name)) }
      for path in [[], ["name"]] {
        let run = Run([file.path, "state"] + path)
        #expect(
          run.output.unicodeScalars.allSatisfy {
            $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory)
          })
        #expect(run.output.contains(#"\u007f\u009b31m\u200e"#) && run.output.contains("é"))
        let json = try JSONText(parsing: run.output.utf8)
        #expect((json["name"] ?? json).string == name)
      }
    }
  }

  @Test func `it tells commits of one number apart, where a session goes on in another store`()
    async throws
  {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = try SessionRecorder<Shop>(to: file, Shop.registry) { _ in }
      func run(_ actions: any Action...) throws {
        let store = try Shop.makeStore([recorder])
        for action in actions { store.dispatch(action) }
      }
      try run(Rename(name: "one"), Rename(name: "Shop"), Add(by: 5))
      try run(AddGood(id: 7, title: "tea"), AddGood(id: 8, title: "rice"))
      let name = Run(file.path, "why", "name")
      #expect(name.lines.count == 2)
      #expect(name.lines[1].hasPrefix(#"since #2 `Rename(name: "Shop")` dispatched at "#))
      let count = Run(file.path, "why", "count")
      #expect(count.lines == ["`count` is 0 since the session began."])
    }
  }

  @Test func `it says where a session that was held in memory does not have a state`() async throws
  {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = SessionRecorder<Shop>()
      let store = try Shop.makeStore([recorder])
      store.dispatch(Add(by: 5))
      store.replaceState(store.state)
      store.dispatch(Add(by: 1))
      try recorder.session?.write(to: file, Shop.registry)
      let known = Run(file.path, "state", "count", "--at", "2")
      #expect(known.output == "5\n" && known.complaints == "")
      let unseen = Run(file.path, "state", "count")
      #expect(unseen.output == "5\n")
      #expect(
        unseen.complaints.contains("The state after commit 3 is not in the session"))
      #expect(Run(file.path, "check").status == 0)
      #expect(Run(file.path, "actions").lines.count == 3)
    }
  }

  @Test func `it makes no page that a browser would show empty, and says so`() async throws {
    try await withSession { file in
      let handle = try FileHandle(forWritingTo: URL(filePath: file))
      try handle.truncate(atOffset: 600_000_000)
      try handle.close()
      let run = Run(file)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.complaints.contains("has 600 MB, and a browser shows no page of more than 500."))
    }
  }

  @Test func `it shows what differs, why, and what became of a row`() async throws {
    try await withSession { file in
      #expect(
        Run(file, "diff", "1", "3").lines == [
          "count: 0 → 5", #"goods[0]: nothing → {"id":7,"title":"tea"}"#,
          #"goods[1]: nothing → {"id":8,"title":"rice"}"#,
        ])
      let why = Run(file, "why", "count")
      #expect(why.lines[0] == "`count` is 5")
      #expect(why.lines[1].hasPrefix("since #3 `Add(by: 5)` dispatched at "))
      #expect(why.lines[1].contains("InspectCommandTests.swift:"))
      #expect(Run(file, "why", "count", "--at", "2").output.contains("since the session began"))
      #expect(
        Run(file, "rows", "goods", "--id", "7").lines == [
          #"#2 AddGood(id: 7, title: "tea"), AddGood(id: 8, title: "rice"): {"id":7,"title":"tea"}"#
        ])
      #expect(Run(file, "rows", "goods", "--id", "9").status == 1)
      #expect(Run(file, "rows", "count", "--id", "9").complaints.contains("no part with rows"))
    }
  }

  @Test func `it checks a file, and says where one was cut off`() async throws {
    try await withSession { file in
      let good = Run(file, "check")
      #expect(good.status == 0 && good.lines.last == "whole")
      #expect(good.output.contains("5 commits (1 of them recorded as states)"))
      // In the middle of the last commit, be there runs behind it or not.
      var session = try SessionFile(URL(filePath: file))
      while let record = try session.next() {
        if record["revision"]?.int == 5 { break }
      }
      try Data(contentsOf: URL(filePath: file)).prefix(Int(session.offset) - 5)
        .write(to: URL(filePath: file))
      let cut = Run(file, "check", "--json")
      #expect(cut.status == 1 && cut.complaints.contains("ends in the middle of a record"))
      #expect(try JSONText(parsing: cut.output.dropLast().utf8)["commits"]?.int == 4)
      #expect(Run(file, "actions").lines.count == 4)
    }
  }

  @Test func `of a very long chain of causes it says the nearest, and what it began with`()
    async throws
  {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      try await Shop.recordChain(of: 1_500, file)
      let why = Run(file.path, "why", "count")
      #expect(why.status == 0 && why.lines.count == 1 + 1_000 + 2)
      #expect(why.lines[1].hasPrefix("since #1500 `Add(by: -1)` by the effect Going on"))
      #expect(why.lines[1_000].hasPrefix("set off by #501 "))
      #expect(why.lines[1_001] == "set off by 499 more, one by the other")
      #expect(why.lines[1_002].hasPrefix("set off by #1 `Add(by: -1)` dispatched at "))
      let json = try Run(file.path, "why", "count", "--json").lines.map {
        try JSONText(parsing: $0.utf8)
      }
      #expect(json.count == 1_002 && json[1_000]["omitted"]?.int == 499)
      #expect(json.last?["revision"]?.int == 1)
    }
  }

  @Test func `with --json each line is JSON, whatever was asked for and whatever was found`()
    async throws
  {
    let asked: [String: [[String]]] = [
      "actions": [[]], "check": [[]], "redux": [[]], "runs": [[], ["Ordering"], ["Nothing"]],
      "state": [[], ["count"], ["goods[#1]"], ["nothing"], ["--at", "1"], ["--at", "99"]],
      "diff": [["1", "3"], ["1", "1"], ["1", "99"], ["a", "b"], ["1"]],
      "why": [["count"], ["name"], ["goods"], ["count", "--at", "1"], ["nothing"], []],
      "rows": [
        ["goods", "--id", "1"], ["goods", "--id", "9"], ["name", "--id", "1"], ["goods"],
      ],
    ]
    #expect(
      Set(InspectCommand.help.matches(of: /lensed-inspect FILE (\w+)/).map { String($0.1) })
        == Set(asked.keys))
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = try SessionRecorder<Shop>(to: file, Shop.registry) { _ in }
      let store = try Shop.makeStore([recorder])
      store.dispatch(Rename(name: "\"a\n\u{1B}\u{2028}\u{202E}"))
      try await store.dispatch(Order(title: "tea")).finish()
      store.dispatch(Add(by: 5))
      try await store.dispatch(Secret(text: "swordfish")).finish()
      // One was cut off, one lacks the commit that set off another, and the others are no sessions.
      let cut = folder.appending(path: "cut.lensed")
      try Data(contentsOf: file).dropLast(5).write(to: cut)
      let late = folder.appending(path: "late.lensed")
      var (session, writer, bytes) = (try SessionFile(file), RecordWriter(), [UInt8]())
      writer.add(session.head.bytes, to: &bytes)
      while let record = try session.next() {
        if record["revision"]?.int != 2 { writer.add(record.bytes, to: &bytes) }
      }
      try Data(bytes).write(to: late)
      let text = folder.appending(path: "text.lensed")
      try Data("hello\n".utf8).write(to: text)
      let files = [file, cut, late, text, folder, folder.appending(path: "nothing.lensed")]
      for file in files {
        let page = folder.appending(path: "page.html").path
        let runs = asked.flatMap { command, all in all.map { [command] + $0 } }
        for arguments in runs + [["--to", page], ["fly"], ["--wrong"]] {
          let run = Run([file.path] + arguments + ["--json"])
          for line in run.lines {
            #expect(throws: Never.self, "\(arguments): \(line)") {
              try JSONText(parsing: line.utf8)
            }
          }
          #expect(run.complaints.isEmpty == (run.status == 0), "\(file.path) \(arguments)")
        }
      }
      #expect(
        Run(file.path, "why", "count", "--at", "1", "--json").lines
          == [#"{"part":"count","value":0,"unchanged":true}"#])
      let why = Run(late.path, "why", "goods", "--json")
      #expect(why.lines.count == 2 && why.lines[1] == #"{"missing":2}"#)
      #expect(
        Run(late.path, "why", "goods").lines.last == "set off by #2, which is not in this session")
    }
  }

  @Test func `it lists the runs of effects, in the order in which they ended`() async throws {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      let recorder = try SessionRecorder<Shop>(to: file, Shop.registry) { _ in }
      let store = try Shop.makeStore([recorder])
      try await store.dispatch(Order(title: "tea")).finish()
      try await store.dispatch(Secret(text: "swordfish")).finish()
      let runs = Run(file.path, "runs")
      #expect(runs.status == 0)
      #expect(
        runs.lines == [
          "0.000 0.000 0.000 #1 Ordering: finished", "0.000 0.000 0.000 #3 Telling: failed: Secret",
        ])
      #expect(Run(file.path, "runs", "Ordering").lines.count == 1)
      #expect(Run(file.path, "runs", "Nothing").output == "")
      let json = try Run(file.path, "runs", "--json").lines.map { try JSONText(parsing: $0.utf8) }
      #expect(json.map { $0["number"]?.int } == [1, 2])
      #expect(json.map { $0["how"]?.string } == ["finished", "failed"])
      #expect(
        json.allSatisfy {
          $0["site"]?.string?.hasPrefix("LensedInspectorTests/ShopStore.swift:") == true
        })
      let check = Run(file.path, "check")
      #expect(check.lines.contains("2 runs of effects, and 0 under way at the end"))
      #expect(check.lines.last == "whole")
      // Cut off behind the first record of the second run, it was under way.
      var session = try SessionFile(file)
      while let record = try session.next() {
        if record["effect"]?.string == "Telling" { break }
      }
      try Data(contentsOf: file).prefix(Int(session.offset)).write(to: file)
      #expect(
        Run(file.path, "runs").lines.last
          == "0.000 0.000 - #3 Telling: under way when the session ended")
      #expect(Run(file.path, "check", "--json").output.contains(#""runs":1,"underWay":1"#))
    }
  }

  @Test func `it exports what Redux DevTools import`() async throws {
    try await withSession { file in
      let lifted = try JSONText(parsing: Run(file, "redux").output.dropLast().utf8)
      let actions = try #require(lifted["actionsById"]?.members)
      let staged = try #require(lifted["stagedActionIds"]?.list)
      let states = try #require(lifted["computedStates"]?.list)
      #expect(actions.map(\.key) == (0...5).map(String.init))
      #expect(staged.map(\.int) == (0...5).map { $0 })
      #expect(states.count == staged.count)
      for action in actions {
        #expect(action.value["type"]?.string == "PERFORM_ACTION")
        #expect(action.value["action"]?["type"]?.string?.isEmpty == false)
        #expect(action.value["timestamp"]?.int ?? 0 > 1_000_000_000_000)
      }
      #expect(lifted["currentStateIndex"]?.int == 5)
      #expect(lifted["nextActionId"]?.int == 6)
      #expect(lifted["skippedActionIds"]?.list == [])
      #expect(states[3]["state"]?["count"]?.int == 5)
      #expect(states.allSatisfy { $0["state"] != nil })
    }
  }

  @Test func `it writes a page beside the file, which nothing in a session can leave`() async throws
  {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      try Shop.record(file) { store in
        store.dispatch(Rename(name: "</script><script>alert(1)</script><!--"))
      }
      let run = Run(file.path)
      let page = folder.appending(path: "a.html")
      #expect(run.status == 0 && run.output == "\(page.path)\n")
      let text = try String(contentsOf: page, encoding: .utf8)
      #expect(!text.contains("alert(1)</script>") && text.contains(#"\u003c/script>"#))
      let attributes = try FileManager.default.attributesOfItem(atPath: page.path)
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
      let records = try PageReading.records(of: page)
      #expect(
        records.map { $0["record"]?.string }.filter { $0 != "fingerprint" }
          == ["head", "snapshot", "commit"])
    }
  }

  @Test func `it writes no page over the session, by whatever path`() async throws {
    try await Folder.run { folder in
      let (file, link) = (folder.appending(path: "a.html"), folder.appending(path: "link.html"))
      try Shop.record(file) { $0.dispatch(Add(by: 5)) }
      let session = try Data(contentsOf: file)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let detour = folder.appending(path: "../\(folder.lastPathComponent)/a.html").path
      for arguments in [[], ["--to", file.path], ["--to", detour], ["--to", link.path]] {
        for session in [file, link] {
          let run = Run([session.path] + arguments)
          #expect(run.status == 2 && run.output.isEmpty, "\(arguments)")
          #expect(run.complaints.contains(" is the session: name another file for the page"))
        }
      }
      #expect(try Data(contentsOf: file) == session)
      #expect(Run(file.path, "--to", folder.appending(path: "b.html").path).status == 0)
    }
  }

  @Test func `of a page that cannot be written it says where, why, and what to do`() async throws {
    try await withSession { file in
      let page = URL(filePath: file).deletingLastPathComponent().appending(path: "no/page.html")
      let run = Run(file, "--to", page.path)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(
        run.complaints == """
          Lensed: the page \(page.path) cannot be written: No such file or directory. Name a file in a folder that is \
          there, and that this user may write in.

          """)
    }
  }

  @Test func `what it cannot do it says in a sentence, with a status`() async throws {
    try await Folder.run { folder in
      let file = folder.appending(path: "bad")
      for content in ["", "hello\n", "\u{0}\u{1}", "00000000 2 {}\n"] {
        try Data(content.utf8).write(to: file)
        let run = Run(file.path, "check")
        #expect(run.status == 1 && run.complaints.contains("is no session"))
      }
      #expect(Run(folder.appending(path: "nothing").path).status == 1)
      #expect(Run(folder.path, "check").status == 1)
      for arguments in [
        [], ["f", "fly"], ["f", "diff", "1"], ["f", "--at"], ["f", "rows", "x"], ["f", "--wrong"],
      ] {
        let texts = Recorder<String>()
        let status = InspectCommand.run(
          arguments, Output(to: { _ in true }, complaining: { texts.append($0) }))
        #expect(status == 2 && texts.values.joined().contains("--help"))
      }
      #expect(Run("--help").output == InspectCommand.help)
    }
  }

  @Test func `a reader that has seen enough ends it`() async throws {
    try await Folder.run { folder in
      let file = folder.appending(path: "a.lensed")
      try Shop.record(file) { store in
        for number in 0..<1_600 { store.dispatch(Rename(name: "name \(number)")) }
      }
      var pieces = 0
      let output = Output(
        to: { _ in
          pieces += 1
          return false
        }, complaining: { _ in })
      #expect(InspectCommand.run([file.path, "actions"], output) == 0)
      #expect(pieces == 1 && output.isOver)
    }
  }
}

/// What a run of `lensed-inspect` wrote.
struct Run {
  let status: Int32
  let output: String
  let complaints: String

  init(_ arguments: String...) { self.init(arguments) }

  init(_ arguments: [String]) {
    final class Texts {
      var output: [UInt8] = []
      var complaints = ""
    }
    let texts = Texts()
    let output = Output(
      to: { bytes in
        texts.output += bytes
        return true
      }, complaining: { texts.complaints += $0 + "\n" })
    status = InspectCommand.run(arguments, output)
    output.flush()
    self.output = String(decoding: texts.output, as: UTF8.self)
    complaints = texts.complaints
  }

  var lines: [String] { output.split(separator: "\n").map(String.init) }
}
