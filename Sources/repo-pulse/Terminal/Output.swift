import Foundation
import Synchronization

/// The one way out for text: to a descriptor, or into memory for a test.
///
/// It may be used from several tasks. Each text arrives in one piece, and what the status line shows
/// never runs into it.
final class Output: Sendable {
  /// What has been written and has to be remembered.
  private struct Contents {
    var text = ""
    var hasStatus = false
  }

  /// The width of a terminal, where a line can be written over; nil when the text goes elsewhere.
  let width: Int?
  /// Nil for memory; none for one that was closed at the start, and may since stand for something else.
  private let descriptor: Int32?
  private let contents = Mutex(Contents())

  /// An output to be made before anything is opened.
  init(to descriptor: Int32) {
    self.descriptor = System.isOpen(descriptor) ? descriptor : -1
    width = System.columns(of: descriptor)
  }

  /// An output that keeps what it is given.
  init(collectingForWidth width: Int?) {
    (descriptor, self.width) = (nil, width)
  }

  /// What a collecting output has been given.
  var collected: String { contents.withLock { $0.text } }

  func write(_ text: String) throws(Failure) {
    try contents.withLock { contents throws(Failure) in
      let text = contents.hasStatus ? Output.erasure + text : text
      contents.hasStatus = false
      try send(text, &contents)
    }
  }

  /// Shows, on a terminal only, a line that the next text or status takes the place of; nil clears it.
  func show(status: String?) {
    guard width != nil else { return }
    contents.withLock { contents in
      if status == nil && !contents.hasStatus { return }
      contents.hasStatus = status != nil
      try? send(Output.erasure + (status ?? ""), &contents)
    }
  }

  private static let erasure = "\r\u{1B}[K"

  private func send(_ text: String, _ contents: inout Contents) throws(Failure) {
    guard let descriptor else {
      contents.text += text
      return
    }
    do throws(System.Refusal) {
      try System.put(text, to: descriptor)
    } catch {
      // Without a reader a message would have none either.
      throw error.number == EPIPE
        ? Failure(141, nil) : Failure(74, "the output cannot be written: \(error)")
    }
  }
}
