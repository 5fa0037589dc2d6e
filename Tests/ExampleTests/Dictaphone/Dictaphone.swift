import Lensed

/// A list of recordings, what is being recorded, and the screens above the list.
struct Dictaphone: Sendable, Equatable {
  var memos: Entities<Memo> = []
  var take: Take?
  var path: Entities<Screen> = []
  var preferences = Preferences()
  var notice: String?

  /// The memos from the longest one on.
  static let longest = Derived.sorted(\Dictaphone.memos, by: \.length)
  static let playing = Derived.filter(\Dictaphone.memos) { $0.playing != nil }
}

struct Load: Action, Equatable {}
struct Loaded: Action, Equatable { let memos: [Memo] }
struct Delete: Action, Equatable { let id: Memo.ID }
struct DiscardTake: Action, Equatable {}
struct Failed: Action, Equatable { let reason: String }
enum Open: Action, Equatable { case memo(Memo.ID), preferences }
struct Back: Action, Equatable {}

extension Dictaphone {
  static func feature(_ studio: Studio) -> Feature<Dictaphone> {
    Feature {
      Mutator(\.memos) { (memos: inout Entities<Memo>, loaded: Loaded) in
        memos.removeAll()
        memos.upsert(contentsOf: loaded.memos)
      }
      .on(Delete.self) { memos, delete in memos[id: delete.id] = nil }
      // One memo plays at a time, and none during a take. What plays is tied to `playing`.
      .on(ElementAction<Memo.ID, Play>.self) { memos, play in memos.silence(but: play.id) }
      .on(StartTake.self) { memos, _ in memos.silence() }
      .on(TakeDelegate.self, reading: \.preferences) { memos, told, preferences in
        guard case .finished(let length) = told, length > .zero else { return }
        let id = (memos.map(\.id).max() ?? 0) + 1
        memos.append(Memo(id: id, length: length, title: "\(preferences.title) \(id)"))
      }
      .on(ElementAction<Screen.ID, DetailDelegate>.self) { memos, told in
        guard case .memo(let id) = told.id, case .renamed(let title) = told.action else { return }
        memos[id: id]?.title = title
      }
      Memo.feature(studio).identified().lifted(\.memos)

      Mutator(\.take) { (take: inout Take?, _: StartTake) in take = take ?? Take() }
        .on(DiscardTake.self) { take, _ in take = nil }
        .on(TakeDelegate.self) { take, _ in take = nil }
      Take.feature(studio).optional().lifted(\.take)

      Mutator(\.path) { (path: inout Entities<Screen>, _: Back) in
        if let top = path.last { path[id: top.id] = nil }
      }
      .on(Open.self, reading: \.self) { path, open, dictaphone in
        switch open {
        case .memo(let id):
          guard let memo = dictaphone.memos[id: id] else { return }
          path.append(.detail(Detail(id: id, title: memo.title)))
        case .preferences:
          path.append(.preferences(PreferencesForm(draft: dictaphone.preferences)))
        }
      }
      .on(Delete.self) { path, delete in path[id: .memo(delete.id)] = nil }
      .on(ElementAction<Screen.ID, DetailDelegate>.self) { path, told in path[id: told.id] = nil }
      .on(ElementAction<Screen.ID, PreferencesDelegate>.self) { path, told in
        path[id: told.id] = nil
      }
      Screen.feature.identified().lifted(\.path)

      Mutator(\.preferences) {
        (preferences: inout Preferences, told: ElementAction<Screen.ID, PreferencesDelegate>) in
        switch told.action {
        case .done(let new): preferences = new
        }
      }
      Mutator(\.notice) { (notice: inout String?, failed: Failed) in notice = failed.reason }
        .on(TakeDelegate.self) { notice, told in
          notice = if case .failed(let reason) = told { reason } else { nil }
        }
        .on(ElementAction<Memo.ID, MemoDelegate>.self) { notice, told in
          switch told.action {
          case .failed(let reason): notice = reason
          }
        }

      Effect(on: Load.self, .first, catch: report) { _, _ in
        Loaded(memos: try await studio.load())
      }
      // The memo has gone from the list at once; the disk follows, one after another.
      Effect(on: Delete.self, .serial, catch: report) { delete, _ in
        try await studio.remove(delete.id)
      }
      Effect(
        on: ElementAction<Screen.ID, DetailDelegate>.self,
        matching: { told in
          if case .memo(let id) = told.id, told.action == .deleted { id } else { nil }
        }
      ) { id, _ in Delete(id: id) }
    }
  }

  private static let report: Effect<Dictaphone>.ErrorHandler = { error, context in
    context.dispatch(Failed(reason: "\(error)"))
  }
}

extension Entities<Memo> {
  /// Stops what plays, but for one memo.
  fileprivate mutating func silence(but exception: Memo.ID? = nil) {
    for memo in self where memo.playing != nil && memo.id != exception {
      self[id: memo.id]?.playing = nil
    }
  }
}
