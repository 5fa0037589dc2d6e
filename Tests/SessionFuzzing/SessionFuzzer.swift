import Foundation
import Lensed
import LensedPersistence

// Feeds what libFuzzer makes up to the reader of sessions and to the registry of actions: as a file, and as records with
// right checks, so that what is behind the check is reached too.
//
// It is built where `LENSED_FUZZ` is set, by a toolchain that has libFuzzer: see `.ci/fuzz`.

/// A state that any action leaves in order.
private struct Ledger: Sendable, Codable {
  var balance = 0
}

/// An action with payloads of several kinds.
private enum Booking: Action, Codable { case pay(Int), swap, note(String, [Double]) }

private let registry = ActionRegistry(.json).adding(Booking.self, named: "b")
  .adding([Booking].self, named: "bs")
private let folder = FileManager.default.temporaryDirectory
  .appending(path: "lensed-fuzzing-\(UUID())")

/// Whatever is read replays, and can be written and read again.
private func use(_ bytes: [UInt8]) {
  let (file, copy) = (folder.appending(path: "session"), folder.appending(path: "copy"))
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try? FileManager.default.removeItem(at: copy)
  guard (try? Data(bytes).write(to: file)) != nil else { fatalError("There is no room.") }
  for reading in [SessionReading.lenient, .strict] {
    guard let session = try? RecordedSession<Ledger>(reading: file, registry, reading) else {
      continue
    }
    let store = Store<Ledger>(initialState: Ledger(), coverage: .partial)
    store.replay(session)
    guard reading == .strict else { continue }
    guard (try? session.write(to: copy, registry)) != nil,
      let again = try? RecordedSession<Ledger>(reading: copy, registry),
      again.count == session.count
    else {
      fatalError("A session that was read cannot be written and read again.")
    }
  }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // The bytes live for the length of the call; libFuzzer owns them.
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
  use(bytes)
  // Each line as a record.
  var (writer, records) = (RecordWriter(), [UInt8]())
  for line in bytes.split(separator: UInt8(ascii: "\n")) { writer.add(line, to: &records) }
  use(records)
  return 0
}
