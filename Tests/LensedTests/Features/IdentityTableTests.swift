import LensedTestSupport
import Testing

@testable import Lensed

/// Every lift to a child × everything that its identity decides: what belongs to a child ends when another takes its
/// place, also where it takes it in an action for the child alone.
@Suite("What belongs to a child ends when it becomes another by identity", .timeLimit(.minutes(30)))
struct IdentityTableTests {
  struct Child: Sendable, Identifiable, Equatable {
    var id = 1
    var session: Int? = 1
    var beats = 0
  }
  enum Screen: Sendable, Equatable { case none, child(Child) }
  struct App: Sendable, Equatable {
    var optional: Child? = Child()
    var screen = Screen.child(Child())
    var array = [Child()]
    var dictionary = ["a": Child()]
  }

  struct Become: Action { let id: Int }
  struct Touch: Action {}
  struct Beat: Action {}
  struct Begin: Action {}

  enum Way: CaseIterable, Sendable {
    case optional, matching, keyed, offset, identified

    /// The feature in an app, and an action for its child.
    func lifted(_ feature: Feature<Child>) -> Feature<App> {
      let prism = Prism<Screen, Child>(
        embed: { .child($0) }, extract: { if case .child(let child) = $0 { child } else { nil } })
      return switch self {
      case .optional: feature.optional().lifted(\.optional)
      case .matching: feature.matching(prism).lifted(\.screen)
      case .keyed: feature.keyed().lifted(\.dictionary)
      case .offset: feature.offset().lifted(\.array)
      case .identified: feature.identified().lifted(\.array)
      }
    }

    func dispatch(_ action: some Action, to store: Store<App>) -> DispatchTask {
      switch self {
      case .optional, .matching: store.dispatch(action)
      case .keyed: store.dispatch(ElementAction(id: "a", action: action))
      case .offset: store.dispatch(ElementAction(id: 0, action: action))
      case .identified: store.dispatch(ElementAction(id: 1, action: action))
      }
    }
  }

  enum Belonging: CaseIterable, Sendable {
    case service, effect, tiedEffect, waitingEffect
  }

  @Test(arguments: Way.allCases, Belonging.allCases)
  func `it ends, and what stays the same by identity keeps it`(way: Way, belonging: Belonging)
    async throws
  {
    let (come, left, gate) = (Recorder<Int>(), Counter(), Gate())
    let store = try Store(initialState: App(), coverage: .partial, onWarning: { _ in }) {
      way.lifted(
        Feature<Child> {
          Mutator(\Child.self) { (child: inout Child, become: Become) in child.id = become.id }
            .on(Touch.self) { child, _ in child.beats += 0 }
            .on(Beat.self) { child, _ in child.beats += 1 }
          switch belonging {
          case .service:
            Feature<Child>(
              "s", onInstall: { come.append($0.state.id) }, onRemove: { left.increment() }
            ) {}
          case .effect: beating(gate)
          case .tiedEffect: beating(gate).tied(to: \.session)
          case .waitingEffect: beating(gate).debounced(for: .seconds(1), clock: ManualClock())
          }
        })
    }
    let run = way.dispatch(Begin(), to: store)
    if belonging == .effect || belonging == .tiedEffect { await gate.waitForWaiters() }
    _ = way.dispatch(Touch(), to: store)
    if belonging == .service {
      #expect(come.values == [1] && left.value == 0, "\(way)")
      _ = way.dispatch(Become(id: 2), to: store)
      #expect(come.values == [1, 2] && left.value == 1, "\(way)")
      return
    }
    _ = way.dispatch(Become(id: 2), to: store)
    gate.open()
    try await run.finish()
    let beats =
      store.state.array.map(\.beats) + store.state.dictionary.values.map(\.beats)
      + [store.state.optional?.beats ?? 0]
    #expect(beats.allSatisfy { $0 == 0 }, "\(way), \(belonging)")
  }

  private func beating(_ gate: Gate) -> Effect<Child> {
    Effect<Child>(on: Begin.self) { _, context in
      await Task { try? await gate.wait() }.value
      context.dispatch(Beat())
    }
  }

  /// Whatever the order in the braces.
  @Test(arguments: Way.allCases, [false, true])
  func `a child handles an action before the owner of what holds it`(way: Way, isChildLast: Bool)
    throws
  {
    let log = Recorder<String>()
    let child = way.lifted(
      Feature<Child> {
        Mutator(\Child.beats) { (beats: inout Int, _: Touch) in
          log.append("child")
          beats += 1
        }
      })
    let owner = Feature<App> {
      switch way {
      case .optional:
        Mutator(\App.optional) { (child: inout Child?, _: Touch) in
          log.append("owner")
          child = nil
        }
      case .matching:
        Mutator(\App.screen) { (screen: inout Screen, _: Touch) in
          log.append("owner")
          screen = .none
        }
      case .keyed:
        Mutator(\App.dictionary) {
          (children: inout [String: Child], _: ElementAction<String, Touch>) in
          log.append("owner")
          children = [:]
        }
      case .offset, .identified:
        Mutator(\App.array) { (children: inout [Child], _: ElementAction<Int, Touch>) in
          log.append("owner")
          children = []
        }
      }
    }
    let store = try Store(initialState: App(), coverage: .partial) {
      if isChildLast {
        owner
        child
      } else {
        child
        owner
      }
    }
    _ = way.dispatch(Touch(), to: store)
    #expect(log.values == ["child", "owner"], "\(way)")
  }
}
