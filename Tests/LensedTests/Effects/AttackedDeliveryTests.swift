import LensedTestSupport
import LensedTesting
import Testing

@testable import Lensed

/// What a commit decides, it decides itself: whatever acts in the middle of its delivery.
///
/// Random programs run on an executor that attacks each delivery. The state logs every commit, so a model of the
/// rules can be held against the log: a run commits only after its trigger has begun, and before something ended it.
@Suite("Deliveries that are attacked decide nothing", .timeLimit(.minutes(30)))
struct AttackedDeliveryTests {
  // MARK: The scene

  /// What a commit logs.
  enum Entry: Sendable, Equatable {
    /// The next so many entries are of one commit.
    case commit(Int)
    case ping(Int)
    case cancel
    case session(Int?)
    /// A run of an effect has dispatched.
    case mark(effect: Int, ping: Int)
  }

  struct Session: Sendable, Identifiable, Equatable { let id: Int }

  struct Scene: Sendable {
    var log: [Entry] = []
    var session: Session? = Session(id: 0)
  }

  struct Commit: Action { let size: Int }
  struct Ping: Action { let number: Int }
  struct Cancel: Action {}
  struct Begin: Action { let session: Session? }
  struct Mark: Action { let effect: Int, ping: Int }

  /// How an effect of the scene is made.
  struct Plan: Sendable {
    let policy: EffectPolicy
    let isCancelled: Bool
    let isTied: Bool
    let hasCondition: Bool
    let isKeyed: Bool

    init(_ executor: AttackingExecutor) {
      policy = [.concurrent, .latest, .serial, .first][executor.choose(below: 4)]
      isCancelled = executor.choose(below: 3) > 0
      isTied = executor.choose(below: 2) > 0
      hasCondition = executor.choose(below: 4) == 0
      isKeyed = executor.choose(below: 4) == 0
    }

    func key(_ ping: Int) -> Int { isKeyed ? ping % 2 : 0 }

    func effect(_ index: Int) -> Effect<Scene> {
      var condition: (@Sendable (Ping, Change<Scene>) -> Bool)?
      if hasCondition { condition = { _, _ in true } }
      var key: Effect<Scene>.Key<Ping>?
      if isKeyed { key = { $0.number % 2 } }
      var effect = Effect<Scene>(
        on: Ping.self, policy, per: key, when: condition
      ) { ping, context -> Void in
        for _ in 0..<2 {
          context.dispatch(Mark(effect: index, ping: ping.number))
          await Task.yield()
        }
      }
      if isCancelled { effect = effect.cancelled(on: Cancel.self) }
      if isTied { effect = effect.tied(to: \.session) }
      return effect
    }
  }

  // MARK: The rules

  /// The rules of section 7 of the contract, read from the log of the commits.
  struct Model {
    let plans: [Plan]
    /// The runs that have begun and were not ended, by their effects, in order; each with how often it dispatched.
    private var live: [[(ping: Int, marks: Int)]]
    private var session: Int? = 0
    /// The triggers that a policy may have ignored or ended: it depends on when code returns, and when what has a
    /// condition is delivered.
    private var doubtful: Set<[Int]> = []

    init(_ plans: [Plan]) {
      self.plans = plans
      live = plans.map { _ in [] }
    }

    /// Reads the log; returns what breaks a rule.
    mutating func read(_ log: [Entry]) -> String? {
      var rest = log[...]
      while let first = rest.popFirst() {
        guard case .commit(let size) = first else {
          if case .mark(let effect, let ping) = first {
            if let fault = mark(effect, ping) { return fault }
            continue
          }
          return "the log is torn at \(first)"
        }
        decide(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      // What nothing has ended has run to its end.
      for index in plans.indices {
        for run in live[index] where run.marks < 2 && !doubtful.contains([index, run.ping]) {
          return "the run of effect \(index) for ping \(run.ping) has not run"
        }
      }
      return nil
    }

    private mutating func decide(_ members: [Entry]) {
      // Ties look at the state after the array.
      let former = session
      for case .session(let new) in members { session = new }
      for index in plans.indices where plans[index].isTied && session != former { live[index] = [] }
      for member in members {
        for index in plans.indices {
          let plan = plans[index]
          switch member {
          case .cancel where plan.isCancelled: live[index] = []
          case .ping(let number) where !plan.isTied || session != nil:
            begin(number, of: index, plan)
          default: break
          }
        }
      }
    }

    private mutating func begin(_ ping: Int, of index: Int, _ plan: Plan) {
      let together = live[index].filter { plan.key($0.ping) == plan.key(ping) }
      if plan.policy == .latest && plan.hasCondition {
        // The newer one begins when it is delivered, and ends the others then.
        for run in together { doubtful.insert([index, run.ping]) }
      } else if plan.policy == .latest {
        live[index].removeAll { plan.key($0.ping) == plan.key(ping) }
      }
      if plan.policy == .first {
        // One that has yet to dispatch runs still.
        if together.contains(where: { $0.marks < 2 && !doubtful.contains([index, $0.ping]) })
          && !plan.hasCondition
        {
          return
        }
        if !together.isEmpty { doubtful.insert([index, ping]) }
      }
      live[index].append((ping, 0))
    }

    private mutating func mark(_ effect: Int, _ ping: Int) -> String? {
      guard let place = live[effect].firstIndex(where: { $0.ping == ping }) else {
        return "effect \(effect) commits for ping \(ping), whose run was ended or never began"
      }
      live[effect][place].marks += 1
      if plans[effect].policy == .latest {
        let key = plans[effect].key(ping)
        let older = Set(live[effect][..<place].map(\.ping).filter { plans[effect].key($0) == key })
        live[effect].removeAll { older.contains($0.ping) }
      }
      guard let place = live[effect].firstIndex(where: { $0.ping == ping }) else { return nil }
      if live[effect][place].marks > 2 { return "effect \(effect) ran twice for ping \(ping)" }
      if plans[effect].policy == .serial {
        let before = live[effect][..<place].filter {
          plans[effect].key($0.ping) == plans[effect].key(ping)
        }
        if before.contains(where: { $0.marks == 0 }) {
          return "effect \(effect) runs for ping \(ping) before an earlier one"
        }
      }
      return nil
    }
  }

  // MARK: The programs

  /// Runs a program; returns what breaks a rule.
  static func fault(ofSeed seed: UInt64) throws -> String? {
    let executor = AttackingExecutor(seed: seed)
    let plans = (0...executor.choose(below: 3)).map { _ in Plan(executor) }
    let store = try StoreProbe.$current.withValue(executor.probe) {
      try Store(initialState: Scene(), coverage: .partial, onWarning: { _ in }) {
        Mutator(\Scene.log) { (log: inout [Entry], commit: Commit) in
          log.append(.commit(commit.size))
        }
        .on(Ping.self) { log, ping in log.append(.ping(ping.number)) }
        .on(Cancel.self) { log, _ in log.append(.cancel) }
        .on(Begin.self) { log, begin in log.append(.session(begin.session?.id)) }
        .on(Mark.self) { log, mark in log.append(.mark(effect: mark.effect, ping: mark.ping)) }
        Mutator(\Scene.session) { (session: inout Session?, begin: Begin) in
          session = begin.session
        }
        for (index, plan) in plans.enumerated() { plan.effect(index) }
      }
    }
    let pings = Recorder<Int>()
    let act: @Sendable (Int) -> Void = { [weak store] size in
      var members: [any Action] = [Commit(size: size)]
      for _ in 0..<size {
        switch executor.choose(below: 6) {
        case 0, 1, 2:
          pings.append(0)
          members.append(Ping(number: pings.count))
        case 3, 4: members.append(Cancel())
        default:
          let id = executor.choose(below: 4)
          members.append(Begin(session: id == 0 ? nil : Session(id: id)))
        }
      }
      store?.dispatch(members)
    }
    // An observer that reacts in the middle of a delivery, a bounded number of times.
    let reactions = Recorder<Int>()
    let observer = store.states(\.log).subscribe { log in
      guard log.count > 1, reactions.count < 12, executor.choose(below: 4) == 0 else { return }
      reactions.append(1)
      act(1)
    }
    for _ in 0..<6 {
      act(1 + executor.choose(below: 3))
      if executor.choose(below: 3) == 0 { executor.runAll() }
    }
    executor.runAll()
    observer.cancel()
    var model = Model(plans)
    return model.read(store.state.log).map { "\($0): \(plans) \(store.state.log)" }
  }

  @Test func `no run commits that never began or was ended, and none is lost`() throws {
    for seed in 0..<UInt64(300 * VerificationLength.factor) {
      if let fault = try Self.fault(ofSeed: seed) {
        Issue.record("seed \(seed): \(fault)")
        return
      }
    }
  }
}
