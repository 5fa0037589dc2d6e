import Lensed
import LensedTestSupport

/// A row of a list, with work of its own.
struct ListRow: Sendable, Equatable, Identifiable {
  let id: Int
  var title = ""
  var loads = 0
  var note: Note?

  struct Note: Sendable, Equatable {
    var text = ""
  }
}

enum RowAction: Action { case rename(String), note(ListRow.Note?) }
struct Loaded: Action {}
struct Reload: Action {}
struct Stop: Action {}
struct Save: Action {}

/// The feature of a row; its effect waits at a gate, and reports what becomes of it.
struct RowWork: Sendable {
  let gate = Gate()
  /// What the effects did, in order: `begin 7`, `end 7`, `cancelled 7`.
  let log = Recorder<String>()

  func reload(_ policy: EffectPolicy = .latest) -> Effect<ListRow> {
    Effect<ListRow>(on: Reload.self, policy) { _, context -> Loaded? in
      log.append("begin \(context.state.id)")
      do {
        try await gate.wait()
      } catch {
        log.append("cancelled \(context.state.id)")
        // A run that was ended goes on dispatching in vain.
        context.dispatch(Loaded())
        return nil
      }
      log.append("end \(context.state.id)")
      return Loaded()
    }
    .named("Reload")
  }

  func feature(_ policy: EffectPolicy = .latest) -> Feature<ListRow> {
    Feature<ListRow> {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, action: RowAction) in
        if case .rename(let new) = action { title = new }
      }
      Mutator(\.loads) { (loads: inout Int, _: Loaded) in loads += 1 }
      Mutator(\.note) { (note: inout ListRow.Note?, action: RowAction) in
        if case .note(let new) = action { note = new }
      }
      reload(policy).cancelled(on: Stop.self)
    }
  }
}

/// Adds, removes and replaces the rows of any collection.
enum ListAction: Action { case add(ListRow), remove(Int), clear }

struct ListApp: Sendable, Equatable {
  var rows: [ListRow] = []
  var others = 0

  static let rows = Mutator(\ListApp.rows) { (rows: inout [ListRow], action: ListAction) in
    switch action {
    case .add(let row): rows.append(row)
    case .remove(let id): rows.removeAll { $0.id == id }
    case .clear: rows = []
    }
  }

  static let others = Mutator(\ListApp.others) { (others: inout Int, action: CountAction) in
    if case .add(let amount) = action { others += amount }
  }

  static func makeStore(
    _ rows: [ListRow], @StoreBuilder<ListApp> _ parts: () -> [StorePart<ListApp>]
  ) throws -> Store<ListApp> {
    try Store(initialState: ListApp(rows: rows)) {
      Self.rows
      others
      parts()
    }
  }
}

extension Action {
  /// This action for one row.
  func row(_ id: Int) -> ElementAction<Int, Self> { ElementAction(id: id, action: self) }
}
