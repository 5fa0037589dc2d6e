import LensedTestSupport
import Testing

@testable import Lensed

private enum Context {
  @TaskLocal static var token: LastReference?
}

/// What a work needs for its code may lead back to the work.
///
/// The task-local values of a dispatch hold the work that dispatched. So a work that has ended and kept any of it would
/// keep its store for ever.
@Suite("A work that has ended holds nothing of its code", .timeLimit(.minutes(30)))
struct EndedWorkTests {
  private let site = CallSite()
  private let store = EmptyStore()

  enum Ending: CaseIterable {
    /// Nothing is left of it.
    case finished
    /// Its children are left, and its parent has them now.
    case early
    /// Its store has gone, and its code has returned.
    case abandoned
  }

  enum Holding: CaseIterable {
    case context, sharedContext, operation
  }

  enum Moment: CaseIterable {
    case before, after
  }

  /// Gives a work something that holds the token.
  private func give(_ holding: Holding, _ token: consuming LastReference, to work: WorkNode) {
    switch holding {
    case .context: Context.$token.withValue(token) { work.captureContext() }
    case .sharedContext:
      Context.$token.withValue(token) { work.setContext(DispatchContext(on: nil)) }
    case .operation:
      work.setOperation(BodyOperation { [token] _ in withExtendedLifetime(token) {} })
    }
  }

  private func end(_ work: WorkNode, _ ending: Ending) {
    if ending == .abandoned { work.abandon() }
    work.endClaim()
  }

  @Test(arguments: Ending.allCases, Holding.allCases)
  func `that was given to it before its end`(_ ending: Ending, _ holding: Holding) async throws {
    try await check(ending, holding, .before)
  }

  @Test(arguments: Ending.allCases, Holding.allCases)
  func `nor that is given to it after its end`(_ ending: Ending, _ holding: Holding) async throws {
    try await check(ending, holding, .after)
  }

  private func check(_ ending: Ending, _ holding: Holding, _ moment: Moment) async throws {
    let root = WorkNode(.sequence(site), in: store, hasClaim: true)
    let work = WorkNode(.sequence(site), in: store, under: root, hasClaim: true)
    let child = WorkNode(.sequence(site), in: store, under: work, hasClaim: true)
    #expect(work.attach(to: root) == .attached)
    if ending == .early { #expect(child.attach(to: work) == .attached) }
    let isGone = Gate()
    if moment == .before { give(holding, LastReference(isGone), to: work) }
    end(work, ending)
    if moment == .after { give(holding, LastReference(isGone), to: work) }
    #expect(work.isFinished)
    try await isGone.wait()
    // The work is still there, and its children go on.
    #expect(ending != .early || root.children.contains { $0 === child })
    for rest in [child, root] { rest.endClaim() }
    withExtendedLifetime(work) {}
  }
}
