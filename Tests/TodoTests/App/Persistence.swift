import Lensed

protocol Disk: Sendable {
  func read() async throws -> Document
  func write(_ document: Document) async throws
}

struct Load: Action, Equatable {}
struct Loaded: Action, Equatable { let document: Document }
struct DiskFailed: Action, Equatable { let reason: String }

enum Persistence {
  /// Loads the document at the start, and saves it once it has not changed for a second, or every ten seconds of
  /// typing without a pause.
  ///
  /// Where the disk is slow, the newest document alone waits for it.
  static func service(_ disk: any Disk, _ clock: any Clock<Duration>) -> Feature<AppState> {
    Feature("persistence", onInstall: { app in app.dispatch(Load()) }) {
      Effect(on: Load.self, .first, catch: report) { _, _ in
        Loaded(document: try await disk.read())
      }
      // An undo is to be saved too; what was just read is not.
      Effect(
        whenChanged: \.document, .serial.keepingNewest(1), including: .replacement,
        when: { _, change in !change.actions.contains { $0 is Loaded } }, catch: report
      ) { document, _ in
        try await disk.write(document)
      }
      .debounced(for: .seconds(1), atMost: .seconds(10), clock: clock)
    }
  }

  private static let report: Effect<AppState>.ErrorHandler = { error, context in
    context.dispatch(DiskFailed(reason: "\(error)"))
  }
}
