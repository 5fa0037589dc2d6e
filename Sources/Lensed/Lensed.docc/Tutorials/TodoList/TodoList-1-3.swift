import Lensed

struct AppState: Sendable {
  var count = 0
}

enum CountAction: Action {
  case increase, reset
}
