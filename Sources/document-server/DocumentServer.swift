#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  import Foundation
  import Lensed
  import LensedServer

  /// A store per document behind plain HTTP, on the loopback interface.
  ///
  /// | request | answer |
  /// |---|---|
  /// | `GET /documents/ID` | the document, as JSON |
  /// | `POST /documents/ID/edits` | applies a list of edits as one commit, and makes the document; the answer comes when it is on the disk |
  /// | `GET /documents/ID/events` | the document now and whenever it differs; a slow client skips to the newest |
  /// | `GET /documents/ID/log` | every commit from now on; a slow client is told how many it missed |
  /// | `DELETE /documents/ID` | removes the document, and with it every stream of it |
  /// | `GET /status` | how many clients there are |
  ///
  /// What a client can make it keep is bounded: the request, one event, 64 commits of a log. It is an
  /// example: each program that can open a connection to this machine's loopback may edit.
  final class DocumentServer: Sendable {
    /// What it takes from clients.
    struct Limits: Sendable {
      var documents = 1_000
      var server = Server.Limits()
    }

    var port: UInt16 { server.port }
    /// What it knows of itself.
    let state: Store<ServerState>

    private let server: Server
    private let shelf: Shelf

    /// Listens from now on, on any free port for 0; clients wait until `run()`.
    ///
    /// The documents are kept in `folder`; without one, in memory alone.
    init(
      port: UInt16 = 0, keepingIn folder: URL? = nil, limits: Limits = Limits(),
      clock: any Clock<Duration> = ContinuousClock()
    ) throws {
      let state = try ServerState.makeStore()
      shelf = try Shelf(limit: limits.documents, keepingIn: folder)
      let router = Router(shelf: shelf, state: state)
      server = try Server(
        port: port, limits: limits.server, clock: clock,
        notify: { event in
          switch event {
          case .came: state.dispatch(ClientCame())
          case .left: state.dispatch(ClientLeft())
          case .stalled: state.dispatch(ClientStalled())
          }
        },
        answer: { try await router.route($0, port: $1) })
      self.state = state
    }

    /// Serves until the task is cancelled; when it returns, every client has been left, and every document is on the disk.
    func run() async throws {
      do {
        try await server.run()
      } catch {
        try await shelf.closeAll()
        throw error
      }
      try await shelf.closeAll()
    }
  }
#endif
