import Lensed

struct Settings: Sendable, Equatable {
  var isLoud = true
  var accent = "blue"
  /// How long this user takes, in percent of what is usual.
  var pace = 100
}

enum SettingsAction: Action, Equatable { case setLoud(Bool), accent(String), pace(Int) }

extension Settings {
  static var feature: Feature<Settings> {
    Feature {
      Mutator(\.isLoud) { (isLoud: inout Bool, action: SettingsAction) in
        if case .setLoud(let new) = action { isLoud = new }
      }
      Mutator(\.accent) { (accent: inout String, action: SettingsAction) in
        if case .accent(let new) = action { accent = new }
      }
      Mutator(\.pace) { (pace: inout Int, action: SettingsAction) in
        if case .pace(let new) = action { pace = new }
      }
    }
  }
}
