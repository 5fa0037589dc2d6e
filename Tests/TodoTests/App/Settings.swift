import Lensed

struct Settings: Sendable, Equatable {
  var isLoud = true
  var accent = "blue"
}

enum SettingsAction: Action, Equatable { case setLoud(Bool), accent(String) }

extension Settings {
  static var feature: Feature<Settings> {
    Feature {
      Mutator(\.isLoud) { (isLoud: inout Bool, action: SettingsAction) in
        if case .setLoud(let new) = action { isLoud = new }
      }
      Mutator(\.accent) { (accent: inout String, action: SettingsAction) in
        if case .accent(let new) = action { accent = new }
      }
    }
  }
}
