import Foundation
import LensedInspector
import LensedPersistence
import LensedTestSupport

/// Sessions to look at, made without a store.
enum Sample {
  static func page(in folder: URL, commits: Int, withRuns: Bool = false) throws -> URL {
    var records = [
      #"{"record":"head","format":1,"state":"Todos","parts":[{"name":"todos"},{"name":"query"}],"actions":[],"owners":[{"part":"todos","actions":["AddTodo"]}]}"#,
      #"{"record":"snapshot","revision":0,"parts":{"todos":[],"query":""},"ids":{"todos":[]}}"#,
    ]
    var todos = 0
    for number in 1...commits {
      let start =
        #"{"record":"commit","revision":\#(number),"time":\#(Double(number) / 4),"cause":"action","site":"Todos/View.swift:\#(number % 90)","#
      switch number % 3 {
      case 2:
        records.append(
          start
            + #""actions":[{"name":"AddTodo","value":{"id":\#(number)}}],"changed":{"todos":{"rows":[[\#(todos),0,[{"id":\#(number),"title":"todo"}],["\#(number)"]]]}}}"#
        )
        todos += 1
      case 0:
        records.append(
          start
            + #""origin":"effect","effect":"Search","parent":\#(number - 2),"actions":[{"name":"Found","value":{"results":["a"]}}]}"#
        )
      default:
        records.append(
          start
            + #""actions":[{"name":"QueryChanged","value":{"query":"milk"}}],"changed":{"query":{"to":"q\#(number)"}}}"#
        )
      }
    }
    if withRuns {
      for number in 1...commits / 2 {
        let (time, how) = (Double(number) / 2, ["finished", "failed", "superseded"][number % 3])
        records.append(
          #"{"record":"run","number":\#(number),"commit":\#(2 * number),"effect":"Effect \#(number % 9)","waiting":\#(time),"running":\#(time + 0.1),"ended":\#(time + Double(number % 5)),"how":"\#(how)"}"#
        )
      }
    }
    return try write(records, folder)
  }

  /// Six commits, one of each kind.
  static func mixedPage(in folder: URL) throws -> URL {
    func commit(_ number: Int, _ cause: String, _ rest: String) -> String {
      #"{"record":"commit","revision":\#(number),"time":\#(number),"cause":"\#(cause)"\#(rest)}"#
    }
    return try write(
      [
        #"{"record":"head","state":"Todos","parts":[{"name":"query"},{"name":"todos"}]}"#,
        #"{"record":"snapshot","revision":0,"parts":{"query":"","todos":0},"ids":{}}"#,
        commit(
          1, "action",
          #","actions":[{"name":"QueryChanged","value":{"query":"milk"}}],"changed":{"query":{"to":"milk"}}"#
        ),
        commit(
          2, "action",
          #","origin":"effect","effect":"Search","parent":1,"site":"Search.swift:4","actions":[{"name":"Found"}]"#
        ),
        commit(3, "action", #","actions":[{"name":"AddTodo"}],"changed":{"todos":{"to":1}}"#),
        commit(4, "action", #","actions":[{"name":"Unknown"}],"unhandled":true"#),
        #"{"record":"note","revision":4,"kind":"warning","text":"Nobody handles it."}"#,
        commit(5, "action", #","origin":"sequence","actions":[{"name":"Ticked"}]"#),
        commit(6, "replacement", #","changed":{"todos":{"to":0}}"#),
      ], folder)
  }

  /// Nine commits, and runs that ended in different ways.
  static func runsPage(in folder: URL) throws -> URL {
    var records = [
      #"{"record":"head","state":"Shop","parts":[{"name":"query"}]}"#,
      #"{"record":"snapshot","revision":0,"parts":{"query":""},"ids":{}}"#,
    ]
    func add(_ number: Int, _ name: String) {
      records.append(
        #"{"record":"commit","revision":\#(number),"time":\#(number),"cause":"action","actions":[{"name":"\#(name)"}]}"#
      )
    }
    func add(_ run: Int, _ commit: Int, _ effect: String, _ rest: String) {
      records.append(
        #"{"record":"run","number":\#(run),"commit":\#(commit),"effect":"\#(effect)","site":"Shop.swift:9","waiting":\#(commit)\#(rest)}"#
      )
    }
    add(1, "Queried")
    add(1, 1, "Search", "")
    add(2, "Queried")
    add(1, 1, "Search", #","ended":2,"how":"superseded""#)
    add(2, 2, "Search", "")
    add(2, 2, "Search", #","running":3"#)
    add(3, "Found")
    add(2, 2, "Search", #","running":3,"ended":3.5,"how":"finished""#)
    add(4, "Saved")
    add(3, 4, "Save", #","running":4"#)
    add(5, "Listened")
    add(4, 5, "Watch", #","running":5"#)
    add(3, 4, "Save", #","running":4,"ended":6,"how":"failed","error":"The network is not there.""#)
    for number in 6...9 { add(number, "Ticked") }
    add(5, 6, "Tick", #","running":6,"ended":7,"how":"cancelled""#)
    add(6, 8, "Watch", #","running":8"#)
    return try write(records, folder)
  }

  /// Markup in every string, a value of 10 MB, text from right to left, causes in circles, and records that are none.
  static func hostilePage(in folder: URL) throws -> URL {
    let evil = #"</script><img src=x onerror=wasRun=1><b>\u202e\u0000<svg onload=wasRun=1>"#
    let huge = String(repeating: "x", count: VerificationLength.factor > 1 ? 10_000_000 : 300_000)
    let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let start =
      #"{"record":"commit","time":1,"cause":"\#(evil)","site":"\#(evil)","function":"\#(evil)","#
    let records = [
      #"{"record":"head","state":"\#(evil)","parts":[{"name":"\#(evil)"}],"actions":[{"name":"\#(evil)"}],"owners":[{"part":"\#(evil)","actions":["\#(evil)"]},{"part":3},{"part":null,"actions":7}]}"#,
      #"{"record":"snapshot","revision":0,"parts":{"\#(evil)":"\#(evil)","__proto__":{"a":1},"rows":[1],"deep":\#(deep)},"ids":{"rows":["\#(evil)"]}}"#,
      start
        + #""revision":1,"parent":2,"actions":[{"name":"\#(evil)","value":"\#(evil)"}],"changed":{"\#(evil)":{"to":"\#(huge)"}}}"#,
      start
        + #""revision":2,"parent":1,"effect":"\#(evil)","origin":"constructor","actions":[{"type":"\#(evil)","text":"\#(evil)"}],"changed":{"__proto__":{"to":{"polluted":true}},"x":null,"rows":{"rows":[[99,5,[2],["\#(evil)"]],7]}}}"#,
      start
        + #""revision":3,"parent":3,"actions":[{"name":"hidden","hidden":true}],"changed":{"constructor":{"to":{"toString":1}}}}"#,
      start + #""revision":2,"parent":2,"actions":"none","changed":[]}"#,
      start + #""revision":-5,"time":-9,"parent":"a","actions":[null,3]}"#,
      start
        + #""revision":6,"time":"late","actions":[{}],"unhandled":true,"changed":{"deep":{"to":{"a":\#(deep)}}}}"#,
      #"{"record":"note","revision":6,"kind":"error","text":"\#(evil)"}"#, #"{"record":"note"}"#,
      #"{"record":"run","number":1,"effect":"\#(evil)","commit":2,"waiting":0,"running":1,"ended":2,"how":"\#(evil)","error":"\#(evil)","site":"\#(evil)"}"#,
      #"{"record":"run","number":"\#(evil)","effect":{"a":1},"commit":"\#(evil)","waiting":-5,"ended":1e308,"how":"constructor"}"#,
      #"{"record":"run","number":2,"effect":"\#(huge)","commit":99,"waiting":1,"running":0,"ended":-1,"how":"__proto__"}"#,
      #"{"record":"run","number":3,"commit":1,"waiting":"late"}"#, #"{"record":"run"}"#,
      #"{"record":"run","number":4,"effect":"x","commit":1,"waiting":-1e308,"running":null,"ended":1e308,"how":7}"#,
      #"{"record":"\#(evil)"}"#, "7", "null", "{", "[]",
    ]
    return try write(records, folder)
  }

  static func write(_ records: [String], _ folder: URL) throws -> URL {
    let file = folder.appending(path: "page.html")
    var rest = records[...]
    try SessionPage.write(to: file) { rest.popFirst().map { Array($0.utf8) } }
    return file
  }
}
