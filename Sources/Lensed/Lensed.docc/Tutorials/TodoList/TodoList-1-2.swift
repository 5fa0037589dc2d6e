import Lensed

struct AppState: Sendable {
  var count = 0
}
