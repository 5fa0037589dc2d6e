import Lensed

/// The screen of one memo: a draft of its title.
struct Detail: Sendable, Equatable, Identifiable {
  let id: Memo.ID
  var title: String
}

struct TitleTyped: Action, Equatable { let title: String }
struct SaveTapped: Action, Equatable {}
enum DetailDelegate: Action, Equatable { case renamed(String), deleted }

extension Detail {
  /// It changes its draft alone, and reports what is to become of the memo.
  static var feature: Feature<Detail> {
    Feature {
      Constant(\.id)
      Mutator(\.title) { (title: inout String, typed: TitleTyped) in title = typed.title }
        .on(SaveTapped.self) { title, _ in if title.isEmpty { title = "Untitled" } }
      Effect(on: SaveTapped.self) { _, context in DetailDelegate.renamed(context.title) }
    }
  }
}

/// What the user prefers.
struct Preferences: Sendable, Equatable {
  /// How a new memo is called, before its number.
  var title = "Memo"
  var rewinds = false
}

/// The screen of the preferences.
struct PreferencesForm: Sendable, Equatable {
  var draft: Preferences
}

enum PreferenceTyped: Action, Equatable { case title(String), rewinds(Bool) }
struct DoneTapped: Action, Equatable {}
enum PreferencesDelegate: Action, Equatable { case done(Preferences) }

extension PreferencesForm {
  static var feature: Feature<PreferencesForm> {
    Feature {
      Mutator(\.draft) { (draft: inout Preferences, typed: PreferenceTyped) in
        switch typed {
        case .title(let title): draft.title = title
        case .rewinds(let rewinds): draft.rewinds = rewinds
        }
      }
      Effect(on: DoneTapped.self) { _, context in PreferencesDelegate.done(context.draft) }
    }
  }
}

/// One of the screens above the list.
enum Screen: Sendable, Equatable, Identifiable {
  case detail(Detail)
  case preferences(PreferencesForm)

  enum ID: Sendable, Hashable { case memo(Memo.ID), preferences }

  var id: ID {
    switch self {
    case .detail(let detail): .memo(detail.id)
    case .preferences: .preferences
    }
  }

  static let details = Prism<Screen, Detail>(
    embed: Screen.detail, extract: { if case .detail(let detail) = $0 { detail } else { nil } })
  static let forms = Prism<Screen, PreferencesForm>(
    embed: Screen.preferences,
    extract: { if case .preferences(let form) = $0 { form } else { nil } })

  static var feature: Feature<Screen> {
    Feature {
      Detail.feature.matching(details)
      PreferencesForm.feature.matching(forms)
    }
  }
}
