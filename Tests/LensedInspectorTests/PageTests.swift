import Foundation
import Lensed
import LensedInspector
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

@Suite(
  "The page, in a browser", .timeLimit(.minutes(30)),
  .enabled(if: Browser.isThere, Browser.absence), .browser)
struct PageTests {
  @Test func `a session is searched, filtered, and walked by keyboard`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: 60)) { page in
        #expect(try await page.text("#count") == "60 commits")
        #expect(try await page.text("#heading .what") == "Found")
        // The cause, and back to the first that it set off.
        try await page.press("ArrowLeft")
        #expect(try await page.text("#heading .where").hasPrefix("#58 "))
        #expect(try await page.text("#pane").contains("Set off"))
        try await page.press("ArrowRight")
        #expect(try await page.text("#heading .where").hasPrefix("#60 "))
        #expect(try await page.text(".why").contains("by the effect Search"))
        try await page.press("Home", "ArrowDown", "2")
        #expect(try await page.text("#heading .where").hasPrefix("#2 "))
        #expect(try await page.text("#pane").contains("todos[#2]"))
        try await page.press("3")
        #expect(try await page.text("#pane").contains("todos"))
        // Why a value is as it is, from the state to the commit.
        try await page.press("End")
        try await page.evaluate(
          """
          [...document.querySelectorAll('.line')].find((line) => line.innerText.startsWith('query'))
            .querySelector('[title="The commit that last changed it"]').click()
          """)
        try await page.wait(until: "$('heading').innerText.includes('#58 ') && view.tab === 'why'")
        try await page.press("4")
        #expect(try await page.text("#pane").contains("AddTodo"))
        try await page.press("/", "F", "o", "u", "n", "d")
        try await page.wait(until: "view.shown.length === 20")
        try await page.wait(until: "$('count').textContent === '20 of 60 commits'")
        try await page.press("Escape", "End")
        #expect(try await page.text("#heading .where").hasPrefix("#60 "))
        try await page.press("?")
        #expect(try await page.evaluate("$('keys').open") == .bool(true))
      }
    }
  }

  @Test func `the search takes words, and the chips filter by what made a commit`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.mixedPage(in: folder)) { page in
        let found: [(query: String, revisions: [Int])] = [
          ("", [1, 2, 3, 4, 5, 6]), ("found", [2]), ("FOUND", [2]), ("milk query", [1]),
          ("#4", [4]), ("Search.swift:4", [2]),
          ("part:que", [1]), ("part:todos", [3, 6]), ("action:addtodo", [3]), ("effect:sea", [2]),
          ("is:effect", [2]),
          ("is:dispatch", [1, 3, 4]), ("is:sequence", [5]), ("is:replacement", [6]),
          ("is:error", [4]), ("after:3", [3, 4, 5, 6]),
          ("before:2.5", [1, 2]), ("after:2 before:4 is:dispatch", [3, 4]),
          ("part:", [1, 2, 3, 4, 5, 6]),
          ("nobody handles", [4]), ("nothing of the kind", []),
        ]
        func shown() async throws -> [Int]? {
          try await page.evaluate("view.shown.map((index) => session.commits[index].revision)")
            .list?
            .compactMap(\.int)
        }
        func search(_ query: String) async throws {
          try await page.evaluate(
            "view.matches = 'the former'; $('search').value = '\(query)'; $('search').dispatchEvent(new Event('input'))"
          )
          try await page.wait(until: "view.matches !== 'the former' && due.size === 0")
        }
        for (query, revisions) in found {
          try await search(query)
          #expect(try await shown() == revisions, "\(query)")
        }
        #expect(try await page.text(".empty") == "No commit matches.")
        try await search("")
        // A chip shows its kind, a second one that one, too; an error is asked for beside them.
        func click(_ chip: String) async throws {
          try await page.evaluate("document.querySelector('#chips [title=\(chip)]').click()")
          try await page.draw()
        }
        for (chip, revisions) in [
          ("Effect", [2]), ("Sequence", [2, 5]), ("Error", []), ("Effect", []), ("Sequence", [4]),
          ("Error", [1, 2, 3, 4, 5, 6]),
        ] {
          try await click(chip)
          #expect(try await shown() == revisions, "\(chip)")
        }
        try await click("Replacement")
        #expect(try await page.text("#count") == "1 of 6 commits")
        #expect(
          try await page.evaluate(
            "[...document.querySelectorAll('#chips [aria-pressed=true]')].map((chip) => chip.title).join()"
          )
            == .string("Replacement"))
        // Who asks for the cause of another one sees it, filtered or not.
        try await page.evaluate("reveal(1)")
        #expect(try await page.text("#count") == "6 commits")
      }
    }
  }

  @Test func `a pin keeps a value in sight, and the state is searched`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: 60)) { page in
        try await page.press("3")
        try await page.evaluate(
          """
          [...document.querySelectorAll('.line')].find((line) => line.innerText.startsWith('query'))
            .querySelector('[title="Keep in sight"]').click()
          """)
        let pin = "#pane table"
        try await page.wait(
          until: "document.querySelector('\(pin)')?.innerText.includes('\"q58\"')")
        // Where it changes, what it was stands beside it.
        #expect(try await page.evaluate("document.querySelectorAll('#pane .was').length").int == 0)
        try await page.press("ArrowLeft")
        #expect(try await page.evaluate("$('heading').innerText.includes('#58 ')") == .bool(true))
        #expect(try await page.text("#pane .was") == "\"q55\"")
        #expect(try await page.text("#pane .is") == "\"q58\"")
        try await page.press("Home")
        #expect(try await page.text("#pane .is") == "\"q1\"")
        try await page.evaluate("document.querySelector('[title=Unpin]').click()")
        try await page.wait(until: "document.querySelector('\(pin)') === null")
        // The search: names and values, and it stays while one walks.
        try await page.press("End")
        for (query, lines) in [
          ("QUERY", ["query"]), ("q58", ["query"]), ("59", ["todos[#59].id"]), ("nothing", []),
        ] {
          // It searches for so long and no longer: here for as long as it takes.
          try await page.evaluate(
            "performance.now = () => 0; $('find').value = '\(query)'; $('find').dispatchEvent(new Event('input')); delete performance.now"
          )
          #expect(
            try await page.evaluate(
              "[...document.querySelectorAll('#pane .key')].map((key) => key.textContent)"
            ).list?
            .compactMap(\.string) == lines, "\(query)")
        }
        #expect(try await page.text("#pane").contains("Not found."))
        try await page.press("ArrowUp", "ArrowUp")
        #expect(try await page.evaluate("$('find').value") == .string("nothing"))
        #expect(try await page.text("#pane").contains("Not found."))
      }
    }
  }

  @Test func `the window over the strip is dragged, and the list goes with it`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: 600)) { page in
        // What is chosen at first is in sight, also above the runs of effects, which come later.
        #expect(
          try await page.evaluate(
            "document.querySelector('.row[aria-selected=true]').getBoundingClientRect().bottom <= $('list').getBoundingClientRect().bottom"
          ) == .bool(true))
        let middle = "firstInSight() + $('list').clientHeight / rowHeight / 2"
        try await page.drag("strip", 0.5)
        #expect(try await page.evaluate("Math.abs(\(middle) - 300) < 3") == .bool(true))
        try await page.drag("strip", 0.5, 0.4, 0.25)
        #expect(try await page.evaluate("Math.abs(\(middle) - 150) < 3") == .bool(true))
        try await page.drag("strip", 0.25, 0)
        #expect(try await page.evaluate("$('list').scrollTop").int == 0)
        #expect(try await page.evaluate("sight()[0]").double == 0.25)
        // It looks, and chooses nothing.
        #expect(try await page.evaluate("view.chosen").int == 599)
        // A pointer that is not pressed drags nothing.
        try await page.evaluate(
          "$('strip').dispatchEvent(new PointerEvent('pointermove', { clientX: 900, buttons: 0 }))")
        try await page.draw()
        #expect(try await page.evaluate("$('list').scrollTop").int == 0)
      }
    }
  }

  @Test func `every state is the one that was, however one comes to it`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: 300)) { page in
        let isRight = try await page.evaluate(
          """
          (() => {
            const order = [299, 0, 150, 149, 151, 10, 298, -1, 75, 299];
            return order.every((index) => {
              const state = stateAt(index);
              const count = session.commits.slice(0, index + 1).filter((commit) => commit.name === 'AddTodo').length;
              return state.parts.get('todos').length === count && state.ids.get('todos').length === count;
            });
          })()
          """)
        #expect(isRight == .bool(true))
      }
    }
  }

  @Test func `a running store is followed, travelled in, and dispatched to`() async throws {
    try await Served.run { served in
      for number in 0..<5 { served.store.dispatch(Rename(name: "name \(number)")) }
      try await Browser.run(served.address) { page in
        try await page.wait(until: "session.commits.length === 5 && view.chosen === 4")
        served.store.dispatch(Add(by: 2))
        try await page.wait(until: "session.commits.length === 6 && view.chosen === 5")
        // Six commits in five seconds; the time of the store stands still, that of the page does not.
        #expect(try await page.evaluate("live.rate(live.began + 4)").string == "1.2")
        #expect(try await page.evaluate("live.rate(live.began + 6)").string == "0.0")
        try await page.wait(until: "/^6 commits · [0-9.]+\\/s$/.test($('count').textContent)")
        try await page.press("ArrowUp", "ArrowUp", "t")
        try await page.wait(until: "session.commits.length === 7")
        #expect(served.store.name == "name 3" && served.store.count == 0)
        // A filter for an origin is there once a commit has it.
        #expect(
          try await page.evaluate(
            "[...document.querySelectorAll('#chips button')].map((chip) => chip.title).join(' ')")
            == .string("Dispatch Replacement Error"))
        // Paused, it takes in what comes, and shows it when it goes on.
        try await page.press(" ")
        served.store.dispatch(Add(by: 7))
        try await page.wait(until: "session.commits.length === 8")
        #expect(try await page.evaluate("view.shown.length").int == 7)
        try await page.press(" ")
        try await page.wait(until: "view.shown.length === 8")
        try await page.press("d")
        try await page.evaluate(
          "$('action-name').value = 'Add'; $('action-value').value = '{\"by\":30}'; $('send').click()"
        )
        try await page.wait(until: "session.commits.length === 9")
        #expect(served.store.count == 37)
        #expect(try await page.text("#action-answer") == "Dispatched.")
        // No digit of a large number is lost on the way.
        try await page.evaluate(
          "$('action-value').value = '{\"by\": 9007199254740993}'; $('send').click()")
        try await page.wait(until: "session.commits.length === 10")
        #expect(served.store.count == 9_007_199_254_741_030)
        try await page.evaluate("$('action-value').value = '1,\"name\":2'; $('send').click()")
        #expect(try await page.text("#action-answer").hasPrefix("That is no JSON: "))
        // A run of an effect is a bar once it has begun, and has its end once it is told.
        try await page.press("Escape")
        served.store.dispatch(Order(title: "tea"))
        try await page.wait(
          until: "session.bars[0]?.how === 'finished' && bars.shown.length === 1")
        #expect(try await page.evaluate("$('effects').hidden") == .bool(false))
        try await page.evaluate("chooseCause(session.bars[0])")
        try await page.wait(until: "$('heading').innerText.startsWith('Order')")
      }
    }
  }

  @Test func `large whole numbers are shown with all of their digits`() async throws {
    try await Folder.run { folder in
      let page = try Sample.write(
        [
          #"{"record":"head","state":"App"}"#,
          #"{"record":"snapshot","revision":0,"parts":{"id":9007199254740993,"ids":[1,-9007199254740993],"rate":0.30000000000000004},"ids":{}}"#,
          #"{"record":"commit","revision":1,"time":1,"cause":"action","actions":[{"name":"Move","value":{"to":18446744073709551615}}],"changed":{"id":{"to":18446744073709551615}}}"#,
        ], folder)
      try await Browser.run(page) { page in
        #expect(try await page.text(".row .value") == "to: 18446744073709551615")
        #expect(try await page.text("#pane").contains("18446744073709551615"))
        try await page.press("2")
        #expect(try await page.text("#pane .was") == "9007199254740993")
        #expect(try await page.text("#pane .is") == "18446744073709551615")
        try await page.press("3")
        for text in ["18446744073709551615", "0.30000000000000004"] {
          #expect(try await page.text("#pane").contains(text))
        }
        try await page.evaluate(
          "$('find').value = '9007199254740993'; $('find').dispatchEvent(new Event('input'))")
        #expect(try await page.text("#pane .key") == "ids[1]")
        #expect(try await page.text("#pane .value-text") == "-9007199254740993")
      }
    }
  }

  @Test func `a key may be the name of what every object has`() async throws {
    try await Folder.run { folder in
      let key = #"{"a":1,"constructor":2,"__proto__":3}"#
      func commit(_ number: Int, _ value: String) -> String {
        #"{"record":"commit","revision":\#(number),"time":1,"cause":"action","changed":{"words":{"to":\#(value)}}}"#
      }
      let page = try Sample.write(
        [
          #"{"record":"head","state":"App"}"#,
          #"{"record":"snapshot","revision":0,"parts":{"words":{"a":1}},"ids":{}}"#,
          commit(1, key), commit(2, #"{"a":1}"#),
        ], folder)
      try await Browser.run(page) { page in
        func lines() async throws -> [[String?]]? {
          try await page.evaluate(
            """
            [...document.querySelectorAll('#pane tr')].slice(1).map((row) =>
              [row.cells[0].querySelector('bdi').textContent, row.cells[1].textContent, row.cells[2].textContent])
            """
          ).list?.map { $0.list?.map(\.string) ?? [] }
        }
        try await page.press("2")
        #expect(
          try await lines() == [["words.constructor", "2", ""], ["words.__proto__", "3", ""]])
        try await page.press("ArrowUp")
        #expect(
          try await lines() == [["words.constructor", "", "2"], ["words.__proto__", "", "3"]])
      }
    }
  }

  @Test func `of what came before the session began anew nothing stays`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: 3)) { page in
        // A server that speaks as the test has it: all in one frame.
        let names = try await page.evaluate(
          """
          (() => {
            const heard = {};
            window.EventSource = class { addEventListener(name, listener) { heard[name] = listener; } };
            live.start();
            const tell = (name) => heard.record({ data: `{"record":"commit","revision":1,"actions":[{"name":"${name}"}]}` });
            heard.reset();
            tell('Former');
            heard.reset();
            tell('Later');
            return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
              .then(() => session.commits.map((commit) => commit.name));
          })()
          """)
        #expect(names == .list([.string("Later")]))
      }
    }
  }

  @Test func `a session that goes on in another store has causes of its own`() async throws {
    try await Folder.run { folder in
      let snapshot = #"{"record":"snapshot","revision":0,"parts":{"count":0},"ids":{}"#
      let commits = [
        #"{"record":"commit","revision":1,"time":1,"cause":"action","actions":[{"name":"One"}],"changed":{"count":{"to":1}}}"#,
        #"{"record":"commit","revision":2,"time":2,"cause":"action","parent":1,"replayed":true,"actions":[{"name":"Two"}],"changed":{"count":{"to":2}}}"#,
        #"{"record":"note","revision":2,"kind":"warning","text":"Nobody handles it."}"#,
      ]
      let page = try Sample.write(
        [#"{"record":"head","state":"App"}"#, snapshot + "}"] + commits
          + [snapshot + #","begins":true}"#] + commits, folder)
      try await Browser.run(page) { page in
        #expect(
          try await page.evaluate("session.commits.map((commit) => commit.above ?? -1)").list?
            .compactMap(\.int) == [-1, 0, -1, 2])
        #expect(try await page.text(".why").contains("#1 One"))
        #expect(try await page.text(".note").contains("Nobody handles it."))
        #expect(try await page.text("#heading .where").hasSuffix("replayed"))
        try await page.press("ArrowLeft", "2")
        #expect(try await page.evaluate("view.chosen").int == 2)
        #expect(try await page.text("#pane").contains("count"))
        #expect(try await page.evaluate("lastChange(['count'], 1)").int == 1)
      }
    }
  }

  @Test func `runs of effects are bars on the axis of the strip, and lead to what set them off`()
    async throws
  {
    try await Folder.run { folder in
      try await Browser.run(try Sample.runsPage(in: folder)) { page in
        // No bar covers another one, and each begins where the strip has its commit.
        let faults = try await page.evaluate(
          """
          (() => {
            const faults = [];
            const [start, end] = span();
            for (const one of bars.shown) {
              const place = (session.commits[one.run.cause].time - start) / (end - start) * ($('strip').clientWidth - 1);
              if (Math.abs(place - one.left) > 1) faults.push(`${one.run.effect} begins at ${one.left}, not at ${place}`);
              for (const other of bars.shown) {
                if (one !== other && one.row === other.row && one.left < other.right && other.left < one.right) faults.push('covered');
              }
            }
            return faults;
          })()
          """)
        #expect(faults.list == [])
        #expect(try await page.evaluate("bars.shown.length").int == 6)
        #expect(try await page.evaluate("$('more-runs').textContent").string == "")
        // By keyboard: to the runs, along them, and to what set one off.
        try await page.press("Home", "e")
        #expect(try await page.evaluate("document.activeElement.id").string == "bars")
        #expect(try await page.evaluate("bars.current.effect").string == "Search")
        #expect(
          try await page.text("#tip").hasPrefix(
            "Search\nfrom 1.000 s, waited 1.000 s and never ran, superseded by a newer trigger"))
        try await page.press("ArrowRight", "ArrowRight")
        #expect(
          try await page.text("#tip")
            == "Save\nfrom 4.000 s, ran 2.000 s, failed\nThe network is not there.\nset off by #4 Saved\nShop.swift:9"
        )
        try await page.press("Enter")
        #expect(try await page.text("#heading .where").hasPrefix("#4 "))
        try await page.press("End")
        #expect(try await page.text("#tip").contains("runs, under way when the session ended"))
        #expect(
          try await page.evaluate("$('bar').textContent").string?.hasPrefix("Watch, ") == true)
        try await page.press("Escape", "Home")
        #expect(try await page.evaluate("$('tip').hidden") == .bool(true))
        #expect(try await page.text("#heading .where").hasPrefix("#1 "))
        // By pointer.
        try await page.evaluate(
          """
          (() => {
            const box = $('bars').getBoundingClientRect();
            const bar = bars.shown.find((each) => each.run.effect === 'Save');
            const at = { clientX: box.left + (bar.left + bar.right) / 2, clientY: box.top + 8 + bar.row * runRow, bubbles: true };
            $('bars').dispatchEvent(new PointerEvent('pointermove', at));
            $('bars').dispatchEvent(new MouseEvent('click', at));
          })()
          """)
        try await page.wait(until: "view.chosen === 3 && !$('tip').hidden")
        // Closer in time, both strips at once, and what is chosen stays in sight.
        try await page.press("+", "+", "+")
        let range = try await page.evaluate("axis()").list?.compactMap(\.double) ?? []
        #expect(range.count == 2 && range[0] <= 4 && 4 <= range[1] && range[1] - range[0] < 2)
        try await page.press("End")
        #expect(try await page.evaluate("axis()[0] <= 9 && 9 <= axis()[1]") == .bool(true))
        try await page.press("0")
        #expect(try await page.evaluate("view.range === undefined") == .bool(true))
      }
    }
  }

  /// Tests open pages side by side, and one of them is in front.
  @Test func `a page keeps its focus while another one is opened`() async throws {
    try await Folder.run { folder in
      let url = try Sample.runsPage(in: folder)
      try await Browser.run(url) { page in
        try await page.press("Home", "e")
        try await Browser.run(url) { _ in }
        #expect(try await page.evaluate("bars.current?.effect").string == "Search")
      }
    }
  }

  @Test func `where runs were not recorded, a bar reaches to the last commit that one made`()
    async throws
  {
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: 60)) { page in
        try await page.wait(until: "session.bars.length === 20")
        try await page.wait(until: "bars.shown[0].run.cause === 0")
      }
    }
  }

  @Test func `nothing in a hostile session runs, and nothing breaks`() async throws {
    try await Folder.run { folder in
      try await Browser.run(try Sample.hostilePage(in: folder)) { page in
        for tab in ["1", "2", "3", "4"] {
          try await page.press(tab, "Home")
          for _ in 0..<8 { try await page.press("ArrowDown") }
          try await page.press(
            "ArrowLeft", "ArrowRight", "End", "e", "ArrowRight", "ArrowDown", "Enter")
          try await page.press("+", "+", "End", "-", "0", "Escape")
        }
        #expect(try await page.evaluate("globalThis.wasRun === undefined") == .bool(true))
        // Bars are there, whatever stands in them.
        #expect(
          try await page.evaluate("bars.shown.length > 0 && session.bars.length === 4")
            == .bool(true))
        #expect(
          try await page.evaluate("document.querySelectorAll('img, b, iframe, svg').length").int
            == 0)
        #expect(try await page.evaluate("document.scripts.length").int == 2)
        // What is long is folded: the document does not have all of it.
        #expect(try await page.evaluate("document.body.innerText.length < 200000") == .bool(true))
      }
    }
  }

  @Test func `a long session opens at once and scrolls without a halt`() async throws {
    let commits = VerificationLength.factor > 1 ? 100_000 : 5_000
    try await Folder.run { folder in
      try await Browser.run(try Sample.page(in: folder, commits: commits, withRuns: true)) { page in
        #expect(try await page.evaluate("session.commits.length").int == commits)
        #expect(try await page.evaluate("session.bars.length").int == commits / 2)
        // Many more than there is room for are counted, and not drawn.
        #expect(
          try await page.evaluate(
            "bars.shown.length < 4000 && bars.shown.length + bars.hidden === session.bars.length")
            == .bool(true))
        #expect(
          try await page.evaluate("document.querySelectorAll('.row').length < 100") == .bool(true))
        let opened = try await page.taskDuration()
        // Times are measured where there is time for it.
        if VerificationLength.factor > 1 { #expect(opened <= 3) }
        // The clock says how long a task was kept waiting on a busy machine, too, and the observer of long tasks has no other
        // one. So each step is judged by the processor's time: all of its tasks together, and so each of them, take less
        // than a long task may.
        for at in 0...60 {
          let step = "$('list').scrollTop = \(at) / 60 * $('list').scrollHeight"
          let seconds = try await page.taskDuration(of: step)
          #expect(seconds <= 0.1, "\(step)")
        }
        for _ in 0..<10 {
          let seconds = try await page.taskDuration(of: "zoom(.5); move(-20)")
          #expect(seconds <= 0.1)
        }
        #expect(try await page.taskDuration(of: "setRange(-Infinity, Infinity)") <= 0.1)
        let wrong = try await page.evaluate(
          """
          (async () => {
            const frame = () => new Promise(requestAnimationFrame);
            const box = $('list');
            const wrong = [];
            for (const at of [0, .25, .5, .75, 1]) {
              box.scrollTop = at * (box.scrollHeight - box.clientHeight);
              await frame(); await frame();
              const top = Math.round(firstInSight());
              const shown = pool.filter((row) => row.element.style.display === '').map((row) => row.index);
              if (!shown.includes(Math.min(session.commits.length - 1, top))) wrong.push(at);
            }
            return wrong;
          })()
          """)
        #expect(wrong.list == [])
      }
    }
  }
}
