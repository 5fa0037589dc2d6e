extension Array {
  /// Where the elements lie, to see whether an edit copied them.
  var address: UInt {
    unsafe withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
