import Foundation
import Lensed

// Feeds what libFuzzer makes up to the reader of journals and to the registry of actions: as a file, and
// as a journal with a right check, so that what is behind the check is reached too.
//
// It is built where `LENSED_FUZZ` is set, by a toolchain that has libFuzzer: see `.ci/fuzz`.

/// A state that any action leaves in order.
private struct Ledger: Sendable, Codable {
  var balance = 0
}

/// An action with payloads of several kinds.
private enum Booking: Action, Codable { case pay(Int), swap, note(String, [Double]) }

private let coder = JournalCoder(
  encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
  decode: { try JSONDecoder().decode($0, from: Data($1.utf8)) })
private let registry = ActionRegistry(coder).adding(Booking.self, named: "b")
  .adding([Booking].self, named: "bs")

/// A journal of lines: the initial state; `name value` for an action of the commit that is being made; a
/// state after `=`; nothing between two commits.
private func journal(of text: String) -> Journal {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  var steps = [Journal.Step()]
  for line in lines.dropFirst() {
    if line.isEmpty {
      steps.append(Journal.Step())
    } else if line.hasPrefix("=") {
      steps[steps.count - 1].state = String(line.dropFirst())
    } else {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      steps[steps.count - 1].actions.append(
        Journal.Item(name: String(parts[0]), value: String(parts.last ?? "")))
    }
  }
  return Journal(initial: lines.first.map(String.init) ?? "", steps: steps)
}

/// Whatever is read replays, and can be written and read again.
private func use(_ journal: Journal) {
  guard let session = try? registry.session(journal, of: Ledger.self) else { return }
  let store = Store<Ledger>(initialState: Ledger(), coverage: .partial)
  store.replay(session)
  guard let written = try? registry.journal(of: session),
    let again = try? registry.session(written, of: Ledger.self), again.count == session.count
  else {
    fatalError("A session that was read cannot be written and read again.")
  }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // The bytes live for the length of the call; libFuzzer owns them.
  let bytes = unsafe Data(UnsafeBufferPointer(start: start, count: count))
  if let journal = try? JSONDecoder().decode(Journal.self, from: bytes) { use(journal) }
  let built = journal(of: String(decoding: bytes, as: UTF8.self))
  use(built)
  // As a file it is read as what it was.
  guard let file = try? JSONEncoder().encode(built) else { return 0 }
  if let read = try? JSONDecoder().decode(Journal.self, from: file) { use(read) }
  return 0
}
