import Foundation
import Lensed
import LensedPersistence
import Synchronization

/// The documents: one store each, which know nothing of each other, and with a folder one on the disk.
final class Shelf: Sendable {
  /// An open document, and what keeps it.
  struct Opened: Sendable {
    let store: Store<Document>
    let disk: Persistence<Document>?
  }

  /// There is no room for another open document.
  struct Full: Error {}

  private let blueprint: StoreBlueprint<Document>
  private let limit: Int
  private let group: PersistenceGroup?
  private let documents = Mutex<[String: Opened]>([:])

  /// A shelf that keeps its documents in a folder; without one, in memory alone.
  init(limit: Int, keepingIn folder: URL? = nil) throws {
    blueprint = try Document.blueprint()
    self.limit = limit
    group = try folder.map { folder throws in try PersistenceGroup(in: folder) }
  }

  /// How many documents are open.
  var count: Int { documents.withLock { $0.count } }

  /// A document that is open, or that is on the disk.
  ///
  /// - Throws: `Full`, and why it cannot be read.
  func find(_ id: String) throws -> Opened? {
    if let opened = documents.withLock({ $0[id] }) { return opened }
    return try isOnDisk(id) ? open(id) : nil
  }

  private func isOnDisk(_ id: String) throws -> Bool { try group?.names().contains(id) ?? false }

  /// A document, which is made where there is none.
  ///
  /// - Throws: `Full`, and why it cannot be read.
  func open(_ id: String) throws -> Opened {
    // Under the lock: two requests cannot open the folder twice.
    try documents.withLock { documents in
      if let opened = documents[id] { return opened }
      if documents.count >= limit { throw Full() }
      let disk = try group?.persistence(of: Document.self, named: id, writing: .eachCommit) {
        Kept(\.title)
        KeptRows(\.lines)
        Kept(\.edits)
      }
      let opened = Opened(
        store: blueprint.makeStore(
          initialState: Document(), middleware: disk.map { [$0] } ?? []), disk: disk)
      documents[id] = opened
      return opened
    }
  }

  /// Removes a document; with its store, every stream of it ends.
  ///
  /// - Returns: Whether there was one.
  func remove(_ id: String) async throws -> Bool {
    // Released after unlocking: a store that goes away tells its readers.
    let opened = documents.withLock { $0.removeValue(forKey: id) }
    guard try opened != nil || isOnDisk(id) else { return false }
    try await opened?.disk?.close()
    try group?.remove(named: id)
    return true
  }

  /// Closes all documents, once all of them are on the disk, and leaves the folder to others.
  func closeAll() async throws {
    let all = documents.withLock { documents in
      defer { documents = [:] }
      return documents
    }
    for opened in all.values { try await opened.disk?.close() }
    try group?.close()
  }
}
