import Synchronization

/// A recording while it is written: a file beside the one that it is to be, which it takes the place of
/// when it is whole.
///
/// What fails while it grows is kept, and said at its end: the run goes on. One that is never finished
/// goes with its last reference.
final class RecordingDraft: Sendable {
  /// The text that is not written yet, and what went wrong.
  private struct Contents {
    var text: JournalText
    var fault: String?
    var isOpen = true
  }

  /// At most so many bytes wait to be written, and one commit.
  private static let limit = 1 << 16

  private let file: RecordingFile
  private let target: RecordingTarget
  private let path: ByteString
  private let descriptor: Int32
  private let contents: Mutex<Contents>

  /// Fails where it can be told that the file will not be written, before anything is read in vain.
  init(_ file: RecordingFile, initial: PulseState) throws(Failure) {
    self.file = file
    target = try file.target()
    path = target.neighbour()
    do {
      contents = Mutex(
        Contents(text: JournalText(initial: try RecordedAction.text(of: initial))))
    } catch {
      throw file.unwritable("\(error)")
    }
    do throws(System.Refusal) {
      descriptor = try System.create(path, mode: target.mode)
    } catch {
      throw file.unwritable(error.reason)
    }
  }

  deinit {
    contents.withLock { close(&$0) }
  }

  /// A commit; the state that the actions went on from, where it is not that of the commit before.
  func add(_ items: [JournalText.Item], from origin: String?, after state: String?) {
    extend { text in
      if let state { text.add(state: state) }
      text.add(items, from: origin)
    }
  }

  /// A commit that no action tells.
  func add(state: String) {
    extend { $0.add(state: state) }
  }

  /// The commits that follow cannot be told.
  func fail(_ fault: String) {
    contents.withLock { $0.fault = $0.fault ?? fault }
  }

  /// Puts what was recorded in the place of the file.
  ///
  /// Until then a reader finds the former one.
  func finish() throws(Failure) {
    let fault = contents.withLock { contents -> String? in
      contents.text.finish()
      write(&contents)
      if contents.fault == nil {
        do throws(System.Refusal) {
          try System.rename(path, to: target.path)
        } catch {
          contents.fault = error.reason
        }
      }
      close(&contents)
      return contents.fault
    }
    if let fault { throw file.unwritable(fault) }
  }

  private func extend(_ body: (inout JournalText) -> Void) {
    contents.withLock { contents in
      guard contents.isOpen, contents.fault == nil else { return }
      body(&contents.text)
      if contents.text.size > RecordingDraft.limit { write(&contents) }
    }
  }

  private func write(_ contents: inout Contents) {
    let bytes = contents.text.take()
    guard contents.fault == nil else { return }
    do throws(System.Refusal) {
      try System.put(bytes, to: descriptor)
    } catch {
      contents.fault = error.reason
    }
  }

  /// Ends it, once; a draft that did not become the file is removed.
  private func close(_ contents: inout Contents) {
    guard contents.isOpen else { return }
    contents.isOpen = false
    System.shut(descriptor)
    System.remove(path)
  }
}
