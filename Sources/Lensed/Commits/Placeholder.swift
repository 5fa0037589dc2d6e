// The values that asynchronous reducers show for the time being.
//
// 1. A run commits its placeholder: under the lock of the store, the table of these notes the `Placeholder`, with the
//    value that it took the place of.
// 2. A reader of the settled state copies the state and the list under the lock, and puts the former values into
//    the copy without it: that compares values, which is the user's code.
// 3. The commit of the outcome removes the placeholder. So do a replacement of the part, the end of its owner or of
//    its child, and at the latest the end of the run. In a store that has gone, it stays.
// 4. After an error or a cancellation the run itself puts the former value back, by a commit (`AsyncRunner`, `putBack`).
//
// The list of them is a value: who has captured one keeps it as it was at that commit. Many rows may load at once, so
// its versions share what they have in common, and one of them is found by its identity.

final class Placeholder: Sendable, Identifiable {
  let epoch: OwnershipEpoch
  /// Whether the child has gone whose part it is; under the lock of the store.
  let hasGone: @Sendable () -> Bool
  /// Puts the value from before into a copy of the state, if that shows the placeholder; without a lock.
  let restore: @Sendable (_ copy: StateAddress) -> Void

  init(
    of epoch: OwnershipEpoch, hasGone: @escaping @Sendable () -> Bool,
    restore: @escaping @Sendable (_ copy: StateAddress) -> Void
  ) {
    (self.epoch, self.hasGone, self.restore) = (epoch, hasGone, restore)
  }
}

typealias Placeholders = Entities<Placeholder>

extension Placeholders {
  /// Reads a copy of the state with the values from before in it; without a lock.
  func settled<State: Sendable, Value>(
    _ state: Boxed<State>, _ read: (StateAddress) -> Value
  ) -> Value {
    let cell = UnsafeCell(state.value)
    for placeholder in self { placeholder.restore(cell.place) }
    return read(cell.place)
  }
}

/// What a result of an asynchronous reducer does to the placeholders.
struct PlaceholderStep: Sendable {
  var ends: Placeholder?
  var shows: Placeholder?

  func apply(to list: inout Placeholders) {
    if let ends { list.remove(id: ends.id) }
    if let shows { list.append(shows) }
  }
}

extension StoreCore.Protected {
  /// Ends placeholders without a commit: what they show is settled from now on.
  mutating func endPlaceholders(where isEnding: (Placeholder) -> Bool) {
    let count = placeholders.count
    placeholders.removeAll(where: isEnding)
    if placeholders.count != count { quietEnds &+= 1 }
  }
}

extension StoreCore {
  /// Reads the state in which each part that shows a placeholder has the value from before it, and the number of its
  /// commit.
  ///
  /// `read` is given this number, too, and how often placeholders had ended without a commit. It runs under the lock where nothing shows a placeholder. Otherwise it is lent a copy, without the lock.
  func readSettled<Value>(
    of memory: StateStorage, _ read: (StateAddress, _ revision: UInt64, _ ends: UInt64) -> Value
  ) -> (value: Value, revision: UInt64) {
    var (value, box, list): (Value?, (any AnyObject & Sendable)?, Placeholders) = (nil, nil, [])
    takeLock("read the state")
    let (revision, ends, witness) = withHeldLock { protected in
      list = protected.placeholders
      if list.isEmpty {
        value = read(memory.place, protected.table.revision, protected.quietEnds)
      } else {
        box = protected.witness.box(memory.place)
      }
      return (protected.table.revision, protected.quietEnds, protected.witness)
    }
    if let box { witness.settle(box, list) { value = read($0, revision, ends) } }
    return (PartPath<Value>.lent(value), revision)
  }

  func drop(_ placeholder: Placeholder) {
    withLock("ended an asynchronous reducer") { protected in
      // What a store that has gone shows for the time being is no value of the part: its state may be kept yet.
      if protected.table.isClosed { return }
      if protected.placeholders.remove(id: placeholder.id) != nil { protected.quietEnds &+= 1 }
    }
  }
}
