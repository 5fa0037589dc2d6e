import Foundation
import Lensed
import LensedPersistence

/// Memory in which snapshots wait at a gate, and which counts the calls of those that have not locked it.
final class GatedStorage: PersistenceStorage {
  let memory: MemoryStorage
  private let state = Locked((isOpen: false, isLocked: false, waiting: 0, strays: 0))
  private let condition = NSCondition()

  init(_ memory: MemoryStorage = MemoryStorage()) {
    self.memory = memory
  }

  /// Lets all snapshots pass from now on.
  func open() {
    condition.lock()
    state.withLock { $0.isOpen = true }
    condition.broadcast()
    condition.unlock()
  }

  /// How many calls came from somebody who had not locked the storage, or had unlocked it.
  var strays: Int { state.withLock { $0.strays } }

  func waitForSnapshot() async {
    while state.withLock({ $0.waiting }) == 0 { await Task.yield() }
  }

  private func enter() { state.withLock { if !$0.isLocked { $0.strays += 1 } } }

  var name: String { memory.name }

  func lock() throws {
    try memory.lock()
    state.withLock { $0.isLocked = true }
  }

  func unlock() {
    enter()
    state.withLock { $0.isLocked = false }
    memory.unlock()
  }

  func list() -> [String] {
    enter()
    return memory.list()
  }

  func read(_ file: String, from offset: UInt64, count: Int) throws -> [UInt8] {
    enter()
    return try memory.read(file, from: offset, count: count)
  }

  func append(_ bytes: [UInt8], to file: String) {
    enter()
    if file.hasPrefix("snapshot") {
      condition.lock()
      state.withLock { $0.waiting += 1 }
      while !state.withLock({ $0.isOpen }) { condition.wait() }
      condition.unlock()
    }
    memory.append(bytes, to: file)
  }

  func sync(_ file: String) {
    enter()
    memory.sync(file)
  }

  func publish(_ file: String, as name: String) throws {
    enter()
    try memory.publish(file, as: name)
  }

  func remove(_ file: String) {
    enter()
    memory.remove(file)
  }
}
