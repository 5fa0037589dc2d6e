import Lensed
import Testing

@testable import LensedPersistence

@Suite struct FolderWriterTests {
  @Test func `a snapshot that ends behind a newer one goes with the next group`() throws {
    let memory = MemoryStorage()
    var writer = FolderWriter(memory, FolderContents<Int>(), compactingAt: 1 << 20)
    let empty = FolderWriter.Group(parts: [], revision: 1)
    try writer.write(empty)
    let number = writer.beginSnapshot()
    try writer.rewrite(empty)
    let newer = Set(memory.files.keys)
    let bytes = try FolderWriter.writeSnapshot(number, of: empty, to: memory)
    #expect(memory.files.count == newer.count + 1)
    writer.endSnapshot(number, bytes: bytes)
    try writer.write(empty)
    let segments = Set(memory.files.keys.filter { $0.hasPrefix("segment") })
    #expect(Set(memory.files.keys) == newer.union(segments))
  }
}
