internal import Synchronization

// How the runs of effects are recorded:
//
// 1. While a recorder of a store asks for runs, each job that a queue admits gets a `RunTrace`, in the same turn at the
//    lock of the store. Without such a recorder there are none.
// 2. Without the lock, the thread that performs the decisions records that the run waits, or that it runs.
// 3. As soon as the run can commit nothing more, its end is recorded, once: for the reason that the work has noted, as
//    for a `RunEnding`.
//
// A trigger that waits for a lull is a run that waits; the job that comes of it takes over the trace. A trigger that a
// policy ignores at once has none.
//
// The mutable state of a trace is `state`, under its own lock. The lock of the store may be held when that is taken, and
// that of the `RunRecorders`: so the records of one run come in their order. Under it the lock of the work is taken.

/// One run of an effect, or one event of an asynchronous reducer: all that is known of it by the time of the record.
package struct RecordedRun: Sendable {
  /// How a run ended.
  package enum End: String, Sendable {
    case finished, failed, cancelled, superseded, gone
    /// It waited for a lull, and the policy ignored it then.
    case ignored
  }

  /// Its number, from 1, among the runs of the store that were recorded.
  package let number: UInt64
  /// The number of the commit that set it off.
  package let commit: UInt64
  /// The name of the effect, or the event of an asynchronous reducer.
  package let effect: String
  /// Where the effect is written.
  package let site: CallSite?
  /// Since when it waits for its turn, or for a lull, by the clock of the store.
  package let waiting: Duration
  /// Since when it runs; nil where it has not begun.
  package internal(set) var running: Duration?
  /// When it could commit nothing more, and why; nil while it can.
  package internal(set) var ended: (time: Duration, how: End)?
  /// The error that it threw, as text.
  package internal(set) var error: String?
}

/// What is recorded of one run, on its way from work to work.
final class RunTrace: Sendable {
  private let number: UInt64
  private let commit: UInt64
  private let label: WorkLabel
  private let site: CallSite?
  private let waiting: Duration
  /// `carrier` is the work that stands for the run: what becomes of another says nothing.
  private let state: Locked<(carrier: ObjectIdentifier, running: Duration?, isOver: Bool)>

  fileprivate init(_ number: UInt64, of work: WorkNode, at site: CallSite?, since time: Duration) {
    (self.number, commit, label) = (number, work.origin.revision, work.waitLabel)
    (self.site, waiting) = (site, time)
    state = Locked((ObjectIdentifier(work), nil, false))
  }

  fileprivate func carry(on work: WorkNode) {
    state.withLock { $0.carrier = ObjectIdentifier(work) }
  }

  /// Records that the run of a work waits, begins or ends, unless it has ended, or another work stands for it.
  fileprivate func record(
    of work: WorkNode, begins: Bool = false, ends how: RecordedRun.End? = nil
  ) {
    // Names and errors are the user's, and are asked without a lock.
    var run = RecordedRun(
      number: number, commit: commit, effect: label.run, site: site, waiting: waiting)
    if how != nil { run.error = work.state.withLock { $0.end }?.error }
    let new = run
    work.store.recordRun { time in
      state.withLock { state -> RecordedRun? in
        if state.isOver || state.carrier != ObjectIdentifier(work) { return nil }
        var run = new
        if begins { state.running = time }
        run.running = state.running
        if let how {
          run.ended = (time, work.noteRecorded(how)?.recorded ?? how)
          state.isOver = true
        }
        return run
      }
    }
  }
}

extension EffectEnd {
  fileprivate var recorded: RecordedRun.End {
    switch self {
    case .finished: .finished
    case .failed: .failed
    case .cancelled: .cancelled
    case .superseded: .superseded
    case .gone: .gone
    }
  }

  fileprivate var error: String? {
    if case .failed(let error) = self { Redaction.text(error) } else { nil }
  }
}

extension WorkLabel {
  /// What a run of it is called.
  fileprivate var run: String {
    if case .event(let type, let property) = self { return "\(code: type) of \(code: property())" }
    return name
  }
}

extension WorkNode {
  /// Gives a job that was admitted its trace, under the lock of the store: that of the wait that has led to it, or a new
  /// one, where a recorder asks for runs.
  func beginTrace(after wait: WorkNode? = nil, at site: Boxed<CallSite>?) {
    if let former = wait?.trace {
      former.carry(on: self)
      take(former)
    } else if let (number, time) = store.numberRun() {
      take(RunTrace(number, of: self, at: site?.value, since: time))
    }
  }

  private func take(_ trace: RunTrace) {
    _ = state.withLock { exchange(&$0.trace, with: trace) }
    isTraced.store(true, ordering: .releasing)
  }

  /// What is recorded of its run; nil where none is.
  var trace: RunTrace? {
    isTraced.load(ordering: .acquiring) ? state.withLock { $0.trace } : nil
  }

  /// Records that its run waits; called without a lock, as the next ones are.
  func recordWait() { trace?.record(of: self) }

  /// Records that its run has begun.
  func recordBegin() { trace?.record(of: self, begins: true) }

  /// Records that its run can commit nothing more; `end` is why, where it was neither stopped nor noted otherwise.
  func recordEnd(_ end: RecordedRun.End = .finished) {
    trace?.record(of: self, ends: isStopped ? .cancelled : end)
  }

  /// Notes the end that is recorded, because what is told of it is the same; returns what was noted before.
  fileprivate func noteRecorded(_ how: RecordedRun.End) -> EffectEnd? {
    state.withLock { state in
      let noted = state.end
      state.note(how == .cancelled ? .cancelled : .finished)
      return noted
    }
  }
}

/// Who records the runs of a store, and how many runs were recorded.
///
/// 1. *Writers.* `set` and `number` are called under the lock of the store.
/// 2. *Readers.* `record` reads the recorders under their own lock, and hands the run over there. So a recorder that was
///    detached is handed nothing more.
struct RunRecorders: ~Copyable, Sendable {
  typealias Recorder = (
    take: @Sendable (RecordedRun) -> Void, afterwards: (@Sendable () -> Void)?
  )

  private static let mark: UInt64 = 1
  private static let one: UInt64 = 2

  /// The number of the last run, shifted by one bit, and in the lowest one whether a recorder asks for runs.
  private let word = Atomic<UInt64>(0)
  private let recorders = Locked<[Recorder]>([])

  /// The number of a run that begins; nil without a recorder.
  func number() -> UInt64? {
    if word.load(ordering: .relaxed) & Self.mark == 0 { return nil }
    return word.wrappingAdd(Self.one, ordering: .relaxed).newValue / Self.one
  }

  /// Sets who records from now on; returns who did, to be released without the lock of the store.
  func set(_ new: [Recorder]) -> [Recorder] {
    if new.isEmpty {
      word.bitwiseAnd(~Self.mark, ordering: .relaxed)
    } else {
      word.bitwiseOr(Self.mark, ordering: .relaxed)
    }
    return recorders.withLock { exchange(&$0, with: new) }
  }

  /// Hands a run to each recorder, and then calls what they do without a lock; `time` is asked without one.
  func record(at time: () -> Duration, _ make: (_ time: Duration) -> RecordedRun?) {
    if recorders.withLock({ $0.isEmpty }) { return }
    let now = time()
    let present = recorders.withLock { recorders -> [Recorder] in
      guard let run = make(now) else { return [] }
      for recorder in recorders { recorder.take(run) }
      return recorders
    }
    for recorder in present { recorder.afterwards?() }
  }
}
