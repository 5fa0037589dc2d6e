public import Foundation
public import Lensed
public import LensedPersistence
internal import LensedServer

/// Middleware that shows a store as a page: what happened, what it changed, and why.
///
/// ```swift
/// let registry = ActionRegistry(.json).adding(CartAction.self).adding(SearchAction.self)
/// let inspector = Inspector<App>(registry)
/// let store = try Store(initialState: App(), middleware: [inspector]) { … }
/// print(try await inspector.serve())               // live, in a browser on this machine
/// try inspector.write(to: "session.html")          // the same page, with the session in it
/// ```
///
/// The page has a row for each commit: its actions, where it comes from, and what set it off; its change as a
/// difference, the whole state at that moment, and who owns which part. It is searched and walked by keyboard. Live it
/// follows the store, jumps in it, and dispatches registered actions that are written as JSON.
///
/// **Safety.** The address has a secret, and the server is on the loopback interface alone: it takes no request without
/// the secret, none for another host and none from another site. The page loads nothing, and shows every value
/// as text. In a release build an inspector does nothing at all unless it is made with `active: .always`. What is
/// `NotLogged` is neither in the page nor in what is sent to it.
///
/// **Cost.** Each commit is written as JSON, by the thread that made it, before `dispatch` returns. The last
/// states are held, so that one can jump to them: a write to a plain array or dictionary then copies it.
public final class Inspector<State: Sendable>: Middleware {
  /// When an inspector does something.
  public enum Activity: Sendable {
    /// In debug builds; in release builds it is inert.
    case inDebugBuilds
    /// In every build.
    case always
  }

  private let log: InspectorLog
  private let recorder: SessionRecorder<State>?
  private let registry: ActionRegistry?
  private let states: StateRing<State>
  private let store = Locked<ScopedStore<State>?>(nil)
  private let serving = Locked<(address: URL, task: Task<Void, Never>)?>(nil)
  private let onFault: @Sendable (InspectorError) -> Void

  /// Creates an inspector without a store.
  ///
  /// - Parameters:
  ///   - registry: The types of the actions that can be dispatched from the page; without one, none.
  ///   - active: When it does something.
  ///   - memory: How many bytes of records it keeps; of older ones the page shows nothing. Where the whole state as
  ///     JSON is large against it, it keeps up to three times that JSON.
  ///   - states: How many states it keeps to jump to.
  ///   - onFault: Is told if the page can be served no longer; `serve()` serves it anew. By default a line on standard
  ///     error.
  public init(
    _ registry: ActionRegistry? = nil, active: Activity = .inDebugBuilds,
    memory: Int = 64 << 20, states: Int = 200,
    onFault: (@Sendable (InspectorError) -> Void)? = nil
  ) {
    self.onFault = onFault ?? { StandardError.write(line: "\($0)") }
    let log = InspectorLog(limit: memory)
    let ring = StateRing<State>(limit: states)
    (self.log, self.registry, self.states) = (log, registry, ring)
    let isActive = active == .always || isDebugBuild
    recorder =
      isActive
      ? SessionRecorder(
        writingTo: SessionSink(
          writingTo: log, registry ?? ActionRegistry(.json),
          noticing: { ring.add($0, $1) }))
      : nil
  }

  deinit {
    serving.withLock { $0?.task.cancel() }
    log.close()
  }

  // MARK: As middleware

  /// True while the inspector is active, so that the page shows what other middleware dispatches while it is attached.
  public var attachesFirst: Bool { recorder != nil }

  /// Begins to record the store.
  public func attached(to store: ScopedStore<State>) {
    guard let recorder else { return }
    release(exchanging: store)
    recorder.attached(to: store)
  }

  /// Ends recording; what was recorded is still shown.
  public func detached() {
    recorder?.detached()
    release(exchanging: nil)
  }

  /// Releases the former store without the lock.
  private func release(exchanging new: ScopedStore<State>?) {
    _ = store.withLock { exchange(&$0, with: new) }
  }

  // MARK: What went wrong

  /// Shows a warning of the store, beside the last commit.
  ///
  /// ```swift
  /// let store = try Store(
  ///   initialState: App(), middleware: [inspector],
  ///   onEffectError: { inspector.note($0) }, onWarning: { inspector.note($0) }
  /// ) { … }
  /// ```
  public func note(_ warning: StoreWarning) {
    note("warning", String("\(warning)".trimmingPrefix("Lensed: ")))
  }

  /// Shows an error that an effect or an asynchronous reducer did not catch, beside the last commit.
  ///
  /// Of an action or an error with something `NotLogged` in it, the name of the type is shown.
  public func note(_ error: EffectError) {
    let trigger = error.action.map { " for \(code: Redaction.action($0))" } ?? ""
    note("error", "\(error.effect) failed\(trigger): \(Redaction.text(error.underlying))")
  }

  private func note(_ kind: String, _ text: String) {
    guard recorder != nil else { return }
    let note = JSONText.object([
      .init("record", .string("note")), .init("revision", .number("\(states.last ?? 0)")),
      .init("kind", .string(kind)), .init("text", .string(text)),
    ])
    log.append(note.bytes, .note)
  }

  // MARK: As a file

  /// Writes the page with the session so far to a path.
  ///
  /// - Parameter file: The path of the file; an older one is replaced.
  /// - Throws: `InspectorError`, or the error of the file system.
  public func write(to file: String) throws {
    try write(to: URL(filePath: file))
  }

  /// Writes the page with the session so far to a file.
  ///
  /// - Parameter file: The file; an older one is replaced.
  /// - Throws: `InspectorError`, or the error of the file system.
  public func write(to file: URL) throws {
    if recorder == nil { throw InspectorError.inactive }
    var number: Int?
    var rest: ArraySlice<[UInt8]> = []
    // A store that goes on and on does not keep the page from ending.
    let end = log.end
    try SessionPage.write(to: file) {
      if rest.isEmpty, number ?? 0 < end {
        let piece = log.lines(from: number)
        // What was dropped meanwhile leaves a gap, and the page goes on from the next snapshot.
        number = piece.next
        rest = piece.lines[...]
      }
      return rest.popFirst()
    }
  }

  // MARK: Live

  /// Serves the page until the inspector is released, or `stop()`.
  ///
  /// ```swift
  /// print(try await inspector.serve())   // http://127.0.0.1:49152/6f0c…/
  /// ```
  ///
  /// - Parameter port: A port of the loopback interface; 0 is any that is free.
  /// - Returns: The address, with a secret in it: a program that has it sees the store and dispatches in it.
  /// - Throws: `InspectorError`: `.unserved` where the system gives no port, or no thread that waits for clients.
  @discardableResult
  public func serve(port: UInt16 = 0) async throws -> URL {
    if recorder == nil { throw InspectorError.inactive }
    #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      if let address = serving.withLock({ $0?.address }) { return address }
      let secret = Secret.make()
      let routes = InspectorRoutes(
        secret: secret, log: log,
        jump: { [weak self] revision in self?.jump(to: revision) ?? InspectorRoutes.gone },
        dispatch: { [weak self] name, json in
          self?.dispatch(name, json) ?? InspectorRoutes.gone
        })
      // On loopback alone: `Socket.listening`. Who is answered: `InspectorRoutes.answer`.
      let server: Server
      do {
        server = try Server(port: port) { try await routes.answer($0, port: $1) }
      } catch {
        throw InspectorError.unserved(port: port, reason: "\(error)")
      }
      guard let address = URL(string: "http://127.0.0.1:\(server.port)/\(secret)/") else {
        throw InspectorError.noSockets
      }
      return serving.withLock { serving in
        // Another call was made at the same time.
        if let serving { return serving.address }
        let task = Task<Void, Never> { [weak self] in
          do {
            try await server.run()
          } catch {
            self?.noteEnd(of: address, error)
          }
        }
        serving = (address, task)
        return address
      }
    #else
      throw InspectorError.noSockets
    #endif
  }

  /// Notes that an address is served no longer, so that the next `serve()` makes a new one, and tells of it.
  private func noteEnd(of address: URL, _ error: any Error) {
    serving.withLock { if $0?.address == address { $0 = nil } }
    onFault(.ended(port: UInt16(address.port ?? 0), reason: "\(error)"))
  }

  /// Ends serving, and returns when every page has been left.
  public func stop() async {
    let task = serving.withLock { exchange(&$0, with: nil)?.task }
    task?.cancel()
    await task?.value
  }

  private func jump(to revision: UInt64) -> (isDone: Bool, sentence: String) {
    guard let store = store.withLock({ $0 }), store.dispatchTarget.isOpen else {
      return (false, "The store is not there any more.")
    }
    guard let state = states.state(at: revision) else {
      return (
        false,
        "The state of #\(revision) is not kept: \(states.limit) states are. Choose a later one."
      )
    }
    store.replaceState(state)
    return (true, "The app is at #\(revision).")
  }

  private func dispatch(_ name: String, _ json: String) -> (isDone: Bool, sentence: String) {
    guard let store = store.withLock({ $0 }), store.dispatchTarget.isOpen else {
      return (false, "The store is not there any more.")
    }
    guard let registry else {
      return (false, "Nothing is dispatched from here: the inspector was made without a registry.")
    }
    if !registry.isJSON { return (false, "The registry's coder is not .json.") }
    do {
      guard let action = try registry.action(named: name, of: json) else {
        return (false, "No action is registered as \(code: name).")
      }
      // No place in the sources: a person wrote it in the page.
      store.dispatch(action, fileID: "Inspector/Page", function: "Dispatch", line: 1)
      return (true, "Dispatched.")
    } catch {
      return (false, "That is no \(code: name): \(Redaction.coding(error))")
    }
  }
}

/// Whether this build is one for debugging.
private var isDebugBuild: Bool {
  #if DEBUG
    true
  #else
    false
  #endif
}

/// The last states, by the numbers of their commits.
private final class StateRing<State: Sendable>: Sendable {
  private let states = Locked<[(revision: UInt64, state: State)]>([])
  let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Adds a state; returns the one that is to be released.
  func add(_ revision: UInt64, _ state: State) -> (any Sendable)? {
    states.withLock { states in
      states.append((revision, state))
      return states.count > limit ? states.removeFirst().state : nil
    }
  }

  /// The number of the last commit.
  var last: UInt64? { states.withLock { $0.last?.revision } }

  func state(at revision: UInt64) -> State? {
    states.withLock { $0.last { $0.revision == revision }?.state }
  }
}
