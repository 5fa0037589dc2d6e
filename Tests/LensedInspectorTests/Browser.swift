import Foundation
import LensedPersistence
import LensedTestSupport
import Synchronization
import Testing

/// A browser without a window, where this machine has one.
///
/// It is told what to do over a pipe, in the protocol of its developer tools. The tests of a suite share one, and have a
/// page each.
final class Browser: Sendable {
  @TaskLocal static var current: Browser?

  /// Where one is: `LENSED_BROWSER`, or a chromium on the path; nil where there is none.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["LENSED_BROWSER"] { return path.isEmpty ? nil : path }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let places =
      names.flatMap { name in folders.map { "\($0)/\(name)" } }
      + ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return places.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  static let isThere = path != nil
  static let absence: Comment =
    "There is no chromium on this machine, so the page is not looked at. LENSED_BROWSER names one elsewhere."

  /// What the page did that it should not.
  struct Complaint: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var last = 0
    var waiting: [Int: CheckedContinuation<JSONText, any Error>] = [:]
    /// By the session of the page.
    var complaints: [String: [String]] = [:]
    var isOver = false
  }

  private let state = Mutex(State())
  private let program: Program
  private let input, output: FileHandle
  private let folder: URL

  fileprivate init(_ path: String) throws {
    // A browser that has gone is told by an error of the next write.
    _ = signal(SIGPIPE, SIG_IGN)
    folder = FileManager.default.temporaryDirectory.appending(path: "lensed-browser-\(UUID())")
    program = try Program(
      "/bin/sh",
      [
        // Descriptors 3 and 4 are where it reads and writes.
        "-c", #"exec "$0" "$@" 3<&0 4>&1 >/dev/null 2>&1"#, path, "--headless=new", "--no-sandbox",
        "--disable-gpu", "--no-first-run", "--disable-extensions",
        "--disable-background-networking",
        "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=\(folder.path)",
        "about:blank",
      ], input: .pipe, output: .pipe)
    (input, output) = (try #require(program.input), try #require(program.output))
    Thread.detachNewThread { [self] in read() }
  }

  /// Opens a page for as long as `body` takes.
  static func run(_ url: URL, _ body: (Browser.Page) async throws -> Void) async throws {
    guard let browser = current else { throw Complaint(description: absence.rawValue) }
    let page = try await Page(browser, url)
    try await body(page)
    #expect(browser.state.withLock { $0.complaints[page.session] } ?? [] == [])
    _ = try await browser.call("Page.close", in: page.session)
  }

  fileprivate func end() {
    try? input.close()
    program.kill(SIGTERM)
    program.wait()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: The pipe

  private func read() {
    var rest = Data()
    while true {
      let piece = output.availableData
      if piece.isEmpty { break }
      rest += piece
      while let end = rest.firstIndex(of: 0) {
        take(rest[rest.startIndex..<end])
        rest = Data(rest[(end + 1)...])
      }
    }
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isOver = true
      return state.waiting
    }
    for waiter in waiting.values {
      waiter.resume(throwing: Complaint(description: "The browser has ended."))
    }
  }

  private func take(_ message: Data) {
    guard let json = try? JSONText(parsing: message) else { return }
    if let id = json["id"]?.int {
      let waiter = state.withLock { $0.waiting.removeValue(forKey: id) }
      if let error = json["error"]?["message"]?.string {
        waiter?.resume(throwing: Complaint(description: error))
      } else {
        waiter?.resume(returning: json["result"] ?? .null)
      }
    } else if ["Runtime.exceptionThrown", "Log.entryAdded"].contains(json["method"]?.string) {
      let text = json["params"]?.text ?? ""
      // What a page from a server that has been stopped finds is no fault of the page.
      let session = json["sessionId"]?.string ?? ""
      if !text.contains("net::ERR_") {
        state.withLock { $0.complaints[session, default: []].append(text) }
      }
    }
  }

  func call(
    _ method: String, _ parameters: JSONText = .object([]), in session: String? = nil
  ) async throws -> JSONText {
    try await withCheckedThrowingContinuation { continuation in
      let (id, isOver) = state.withLock { state in
        state.last += 1
        if !state.isOver { state.waiting[state.last] = continuation }
        return (state.last, state.isOver)
      }
      if isOver {
        return continuation.resume(throwing: Complaint(description: "The browser has ended."))
      }
      var members: [JSONText.Member] = [
        .init("id", .number("\(id)")), .init("method", .string(method)),
        .init("params", parameters),
      ]
      if let session { members.append(.init("sessionId", .string(session))) }
      do {
        try input.write(contentsOf: Data(JSONText.object(members).bytes + [0]))
      } catch {
        let waiter = state.withLock { $0.waiting.removeValue(forKey: id) }
        waiter?.resume(throwing: error)
      }
    }
  }

  // MARK: A page

  struct Page {
    private let browser: Browser
    fileprivate let session: String

    fileprivate init(_ browser: Browser, _ url: URL) async throws {
      self.browser = browser
      let target = try await browser.call(
        "Target.createTarget", .object([.init("url", .string("about:blank"))]))
      let attached = try await browser.call(
        "Target.attachToTarget",
        .object([
          .init("targetId", target["targetId"] ?? .null), .init("flatten", .bool(true)),
        ]))
      session = try #require(attached["sessionId"]?.string)
      for domain in ["Runtime", "Log", "Page"] {
        _ = try await browser.call("\(domain).enable", in: session)
      }
      // Time is that of the processor: what else the machine does is no matter of the page.
      _ = try await browser.call(
        "Performance.enable", .object([.init("timeDomain", .string("threadTicks"))]), in: session)
      // Pages that are not in front draw all the same.
      _ = try await browser.call(
        "Emulation.setDeviceMetricsOverride",
        .object([
          .init("width", .number("1280")), .init("height", .number("800")),
          .init("deviceScaleFactor", .number("1")), .init("mobile", .bool(false)),
        ]), in: session)
      // Each page has the focus, whichever is in front: tests open theirs side by side.
      _ = try await browser.call(
        "Emulation.setFocusEmulationEnabled", .object([.init("enabled", .bool(true))]), in: session)
      _ = try await browser.call(
        "Page.navigate", .object([.init("url", .string(url.absoluteString))]), in: session)
      try await wait(until: "document.readyState === 'complete' && due.size === 0")
    }

    /// The value of an expression; a promise is awaited.
    @discardableResult
    func evaluate(_ expression: String) async throws -> JSONText {
      let answer = try await browser.call(
        "Runtime.evaluate",
        .object([
          .init("expression", .string(expression)), .init("awaitPromise", .bool(true)),
          .init("returnByValue", .bool(true)),
        ]), in: session)
      if let details = answer["exceptionDetails"] {
        throw Complaint(description: "\(expression): \(details.text)")
      }
      return answer["result"]?["value"] ?? .null
    }

    /// Waits, frame by frame, until a condition holds.
    func wait(until condition: String) async throws {
      let holds = try await evaluate(
        """
        new Promise((resolve) => {
          const start = performance.now();
          const look = () => {
            let holds = false;
            try { holds = (\(condition)); } catch {}
            if (holds) resolve(true);
            else if (performance.now() - start > 60000) resolve(false);
            else setTimeout(look, 10);
          };
          look();
        })
        """)
      #expect(holds == .bool(true), "\(condition)")
    }

    /// Presses a key, and waits until the page has drawn what came of it.
    func press(_ keys: String...) async throws {
      for key in keys {
        for kind in ["keyDown", "keyUp"] {
          var members: [JSONText.Member] = [
            .init("type", .string(kind)), .init("key", .string(key)),
          ]
          if kind == "keyDown" && key.count == 1 { members.append(.init("text", .string(key))) }
          _ = try await browser.call("Input.dispatchKeyEvent", .object(members), in: session)
        }
      }
      try await draw()
    }

    /// Waits until the page has drawn what is due.
    func draw() async throws {
      try await evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => 1)"
      )
    }

    /// Presses the pointer on an element, moves it, and lets go; the places are shares of the element's width.
    func drag(_ id: String, _ places: Double...) async throws {
      let box = try await evaluate(
        "(({ left, top, width, height }) => [left, top, width, height])($('\(id)').getBoundingClientRect())"
      ).list?.compactMap(\.double)
      guard let box, box.count == 4, let first = places.first, let last = places.last else {
        return
      }
      func send(_ kind: String, _ place: Double, _ buttons: Int) async throws {
        _ = try await browser.call(
          "Input.dispatchMouseEvent",
          .object([
            .init("type", .string(kind)), .init("x", .number("\(box[0] + place * (box[2] - 1))")),
            .init("y", .number("\(box[1] + box[3] / 2)")), .init("button", .string("left")),
            .init("buttons", .number("\(buttons)")), .init("clickCount", .number("1")),
          ]), in: session)
      }
      try await send("mousePressed", first, 1)
      for place in places.dropFirst() { try await send("mouseMoved", place, 1) }
      try await send("mouseReleased", last, 0)
      try await draw()
    }

    /// How many seconds of the processor the tasks of the page take until it has drawn what a step changes.
    func taskDuration(of step: String) async throws -> Double {
      let before = try await taskDuration()
      try await evaluate("\(step); 1")
      try await draw()
      return try await taskDuration() - before
    }

    /// How many seconds of the processor the tasks of the page have taken.
    func taskDuration() async throws -> Double {
      let metrics = try await browser.call("Performance.getMetrics", in: session)["metrics"]?.list
      let metric = metrics?.first { $0["name"]?.string == "TaskDuration" }
      return try #require(metric?["value"]?.double)
    }

    /// The text that an element shows.
    func text(_ selector: String) async throws -> String {
      try await evaluate("document.querySelector('\(selector)')?.innerText ?? ''").string ?? ""
    }
  }
}

/// Gives the tests of a suite one browser.
struct BrowserScope: SuiteTrait, TestScoping {
  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard let path = Browser.path else { return try await function() }
    let browser = try Browser(path)
    defer { browser.end() }
    try await Browser.$current.withValue(browser) { try await function() }
  }
}

extension Trait where Self == BrowserScope {
  static var browser: Self { Self() }
}
