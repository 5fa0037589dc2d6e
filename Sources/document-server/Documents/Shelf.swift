import Lensed
import Synchronization

/// The documents that are open: one store each, which know nothing of each other.
final class Shelf: Sendable {
  private let blueprint: StoreBlueprint<Document>
  private let limit: Int
  private let stores = Mutex<[String: Store<Document>]>([:])

  init(limit: Int) throws {
    blueprint = try Document.blueprint()
    self.limit = limit
  }

  /// How many documents are open.
  var count: Int { stores.withLock { $0.count } }

  /// The store of an open document.
  func store(_ id: String) -> Store<Document>? { stores.withLock { $0[id] } }

  /// The store of a document, which is opened where it is not open; nil when there is no room.
  func open(_ id: String) -> Store<Document>? {
    stores.withLock { stores in
      if let store = stores[id] { return store }
      if stores.count >= limit { return nil }
      let store = blueprint.makeStore(initialState: Document())
      stores[id] = store
      return store
    }
  }

  /// Closes a document.
  ///
  /// Its store is dropped, and with that every stream of it ends.
  func close(_ id: String) -> Bool {
    // Released after unlocking: a store that goes away tells its readers.
    let store = stores.withLock { $0.removeValue(forKey: id) }
    return store != nil
  }

  /// Closes all of them.
  func closeAll() {
    let all = stores.withLock { stores in
      defer { stores = [:] }
      return stores
    }
    _ = all
  }
}
