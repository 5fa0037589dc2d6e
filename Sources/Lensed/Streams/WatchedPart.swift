/// A part of the state that an observer is called for and reads nothing of.
final class WatchedPart: PartSlot {
  let footprint: Footprint

  init(_ footprint: Footprint) {
    self.footprint = footprint
  }

  func queue(_ state: StateAddress, _ revision: UInt64) {}
  func promote(_ revision: UInt64) {}
  func release() {}
  func stage(_ revision: UInt64) -> (@Sendable () -> Void)? { nil }
}

extension PartCapture {
  /// A capture that has an observer called for each commit that touches a part, and captures nothing.
  convenience init(watching footprint: Footprint) {
    self.init(WatchedPart(footprint)) { _, _ in }
  }
}
