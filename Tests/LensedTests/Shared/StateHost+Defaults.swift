@testable import Lensed

// What a store of a test that only delivers can do without.
extension StateHost {
  var taskExecutor: (any TaskExecutor)? { nil }
  func checkEntry(_ intrusion: @autoclosure () -> String) {}
  func noteOverdueDeliveries() {}
  func noteCallLeft() {}
  func noteCallMade() {}
}
