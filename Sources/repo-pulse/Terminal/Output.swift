import Synchronization

/// The one way out for text: to a descriptor, or into memory for a test.
///
/// It may be used from several tasks. Each text arrives in one piece, and what the status line shows
/// never runs into it.
final class Output: Sendable {
  private enum Destination {
    case descriptor(Int32)
    case memory
  }

  private struct Contents {
    var text = ""
    var hasStatus = false
  }

  static let standard = Output(.descriptor(1))
  static let errors = Output(.descriptor(2))

  /// An output that keeps what it is given.
  static func collecting(width: Int? = nil) -> Output {
    Output(.memory, width: width)
  }

  /// True for a terminal, where a line can be written over.
  let isTerminal: Bool
  /// The width of a terminal; nil when the text goes elsewhere.
  let width: Int?
  private let destination: Destination
  private let contents = Mutex(Contents())

  private init(_ destination: Destination, width: Int? = nil) {
    self.destination = destination
    switch destination {
    case .descriptor(let number):
      isTerminal = System.isTerminal(number)
      self.width = isTerminal ? System.columns(of: number) : nil
    case .memory:
      isTerminal = width != nil
      self.width = width
    }
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

  /// Shows a line that the next text or status takes the place of. Only a terminal shows it.
  func show(status: String) {
    guard isTerminal else { return }
    contents.withLock { contents in
      contents.hasStatus = true
      try? send(Output.erasure + status, &contents)
    }
  }

  func clearStatus() {
    contents.withLock { contents in
      guard contents.hasStatus else { return }
      contents.hasStatus = false
      try? send(Output.erasure, &contents)
    }
  }

  private static let erasure = "\r\u{1B}[K"

  private func send(_ text: String, _ contents: inout Contents) throws(Failure) {
    switch destination {
    case .memory:
      contents.text += text
    case .descriptor(let number):
      do {
        try System.write(text, to: number)
      } catch let refusal as System.Refusal {
        throw refusal.isBrokenPipe ? .brokenPipe : .unwritable(refusal.reason)
      } catch {
        throw .unwritable("\(error)")
      }
    }
  }
}
