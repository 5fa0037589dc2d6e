import Foundation
import Testing

@testable import LensedPersistence

@Suite struct DiskFileTests {
  @Test func `a call that signals interrupt is repeated until it ends, and then its error counts`()
  {
    for (code, result) in [(EINTR, 7), (EIO, -1)] {
      var calls = 0
      let found = DiskFile.repeated { () -> Int in
        calls += 1
        errno = calls < 4 ? EINTR : code
        return calls < 4 ? -1 : result
      }
      #expect(found == result && calls == 4)
      #expect(errno == code)
    }
  }
}
