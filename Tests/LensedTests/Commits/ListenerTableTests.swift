import LensedTestSupport
import Testing

@testable import Lensed

@Suite("ListenerTable: listeners come and go, and the order stays")
struct ListenerTableTests {
  private struct One: Action {}
  private struct Two: Action {}

  private static let types: [any Action.Type] = [One.self, Two.self]

  /// What was attached, as a list that is searched each time.
  private struct Attached {
    let id: UInt64
    let kind: Int
    var isJudge: Bool
  }

  private static func listener(_ kind: Int, _ id: UInt64, _ heard: Recorder<UInt64>)
    -> CommitListener
  {
    let notify: CommitListener.Notify = { _, _, _ in heard.append(id) }
    return switch kind {
    case 0, 1:
      CommitListener(selection: .actions(types[kind]), notify: notify)
    case 2: CommitListener(selection: .everyCommit, notify: notify)
    case 3: CommitListener(selection: .part(nil), notify: notify)
    default:
      CommitListener(
        selection: .recording(
          CommitRecorder { _ in
            heard.append(id)
            return nil
          }))
    }
  }

  @Test(arguments: UInt64(1)...30)
  func `the listeners of a type are those attached to it, in the order of attaching`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let heard = Recorder<UInt64>()
    var table = ListenerTable()
    let observers = ObserverTable(memory: StateStorage(UnsafeCell(0)))
    var attached: [Attached] = []
    for id in UInt64(1)...150 {
      if Int.random(in: 0..<3, using: &random) > 0 {
        let kind = Int.random(in: 0..<5, using: &random)
        var attachment = Attachment(listeners: [Self.listener(kind, id, heard)])
        let isJudge = Bool.random(using: &random)
        if isJudge { attachment.judge = { _, _ in .proceed } }
        table.add(attachment, id: id, to: observers)
        attached.append(Attached(id: id, kind: kind, isJudge: isJudge))
      } else if let index = attached.indices.randomElement(using: &random) {
        let old = attached.remove(at: index)
        #expect(table.remove(old.id, from: observers.rows) != nil)
        #expect(table.remove(old.id, from: observers.rows) == nil)
      }
      #expect(table.isEmpty == attached.isEmpty)
      #expect(table.judges.list.map(\.id) == attached.filter(\.isJudge).map(\.id))
      #expect(table.recorders.count == attached.count { $0.kind == 4 })
      #expect(table.everyCommit.listeners.count == attached.count { $0.kind == 2 })
      #expect(table.dependOnParts == attached.contains { $0.kind == 3 })
      #expect(table.touched(onRoute: nil) { _ in true }.count == attached.count { $0.kind == 3 })
    }
    table.invalidateRoutes()
    for kind in 0...1 {
      let before = heard.values.count
      _ = table.addRoute(of: Self.types[kind], through: [])
      #expect(
        table.touched(onRoute: kind) { _ in true }.count == attached.count { $0.kind == 3 })
      let report = StandInReport()
      table.listeners(ofRoute: kind).notify(report, of: nil, within: nil)
      #expect(
        Array(heard.values.dropFirst(before)) == attached.filter { $0.kind == kind }.map(\.id),
        "seed \(seed)")
    }
  }

  /// A report that nobody looks at.
  private final class StandInReport: CommitReport {
    var record: CommitRecord { fatalError("unused") }
    var cause: CommitCause { .action }
    var revision: UInt64 { 1 }
    func lendStates(_ body: (_ state: StateAddress, _ previous: StateAddress?) -> Void) {}
    var actions: CommittedActions { .none }
    func setListeners(_ pending: consuming PendingListeners) {}
    func change<Seen: Sendable>(in view: ChangeView<Seen>) -> Change<Seen> { fatalError("unused") }
    func notify(around observers: () -> Void) {}
    func willBeQueued() {}
  }
}
