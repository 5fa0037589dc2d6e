import Lensed

struct Search: Sendable, Equatable {
  var query = ""
  var titles: [String] = []
}

struct QueryChanged: Action, Equatable { let query: String }
struct Found: Action, Equatable { let titles: [String] }
