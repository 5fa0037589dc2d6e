extension StoreCore {
  /// Reads the value of a memo about an object that is seen from the part at an offset, where it is that of the
  /// present commit and this can be seen at once.
  @inlinable
  @inline(__always)
  func readMemo<Value: Sendable>(_ type: Value.Type, of object: UInt, at offset: Int) -> Value? {
    lock.withLock(as: ThreadIdentity.current) {
      // The memo keeps the box alive until another value is stored, under this lock.
      Unretained<Boxed<Value>>(bits: currentMemo(of: object, at: offset))?.lend { $0.value }
    } reentry: {
      trapIntrusion("read a derived value")
    }
  }

  /// The box of the value of a memo, without a count; zero where the value is not known to be current.
  ///
  /// Called under the lock.
  @usableFromInline
  @inline(never)
  func currentMemo(of object: UInt, at offset: Int) -> UInt {
    guard let address = protected.value.memos.cache.value(of: object, at: offset) else { return 0 }
    return address.edit(MemoValue.self) { memo in
      guard let value = memo.value else { return 0 }
      let isCurrent =
        memo.verifiedAt == protected.value.table.revision
        || memo.verify(in: &protected.value.table)
      return isCurrent ? Unretained(value).bits : 0
    }
  }
}
