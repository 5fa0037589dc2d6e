import Foundation
import Lensed
import LensedPersistence

// Feeds what libFuzzer makes up to the reader of records and to a persistence: as a file, and as records with right
// checks, so that what is behind the check is reached too.
//
// It is built where `LENSED_FUZZ` is set, by a toolchain that has libFuzzer: see `.ci/fuzz`.

/// Parts of each kind.
private struct Parts: Sendable {
  var text = ""
  var numbers = [0.0]
  var rows = Entities<Row>()
  var counts: [String: Int] = [:]

  struct Row: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var text: String?
  }
}

private func open(
  _ memory: MemoryStorage, _ recovering: PersistenceRecovering
) throws(PersistenceError) -> Persistence<Parts> {
  try Persistence<Parts>(in: memory, recovering: recovering) {
    Kept(\.text)
    Kept(\.numbers)
    KeptRows(\.rows)
    KeptRows(\.counts)
  }
}

/// Opens a folder.
///
/// Whatever is in it, it is an error or a state, and nothing is written. What can be salvaged opens afterwards, and what it
/// was found in is still there.
private func open(_ files: [String: [UInt8]]) {
  let memory = MemoryStorage(files)
  let isSound = (try? open(memory, .strictly)) != nil
  if memory.files != files { fatalError("Opening has written.") }
  guard let disk = try? open(memory, .salvage) else {
    if isSound { fatalError("What opens cannot be salvaged.") }
    if memory.files != files { fatalError("A salvage that failed has written.") }
    return
  }
  if isSound && !disk.recovery.losses.isEmpty { fatalError("A salvage of what opens has losses.") }
  let after = memory.files
  for (name, bytes) in files where after[name] != bytes && after["damaged-" + name] != bytes {
    fatalError("The damaged \(name) is lost.")
  }
  if (try? open(MemoryStorage(after), .strictly)) == nil {
    fatalError("What was salvaged does not open.")
  }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // The bytes live for the length of the call; libFuzzer owns them.
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  open(["segment-1.lensed": bytes])
  open(["snapshot-1.lensed": bytes])
  // Each line as a record.
  var (writer, records) = (RecordWriter(), [UInt8]())
  for line in bytes.split(separator: UInt8(ascii: "\n")) { writer.add(line, to: &records) }
  open(["segment-1.lensed": records])
  open(["snapshot-1.lensed": records, "segment-1.lensed": bytes])
  open(["snapshot-1.lensed": bytes, "segment-1.lensed": records])
  var reader = RecordReader(file: "file") { Array(records.dropFirst(Int($0)).prefix($1)) }
  var read = 0
  while (try? reader.next()) ?? nil != nil { read += 1 }
  return 0
}
