import Lensed

/// What the server knows of itself: a store like that of a document, which every part of the server may observe.
struct ServerState: Sendable, Equatable, Codable {
  var clients = 0
  var served = 0
  var stalled = 0

  static func makeStore() throws -> Store<ServerState> {
    try Store(initialState: ServerState()) {
      Mutator(\.clients) { (clients: inout Int, _: ClientCame) in clients += 1 }
        .on(ClientLeft.self) { clients, _ in clients -= 1 }
      Mutator(\.served) { (served: inout Int, _: ClientLeft) in served += 1 }
      Mutator(\.stalled) { (stalled: inout Int, _: ClientStalled) in stalled += 1 }
    }
  }
}

struct ClientCame: Action {}
struct ClientLeft: Action {}
struct ClientStalled: Action {}
