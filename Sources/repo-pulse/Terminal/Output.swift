import Synchronization

/// The one way out for text: to a descriptor, or into memory for a test.
///
/// It may be used from several tasks. Each text arrives in one piece, and what the status line shows
/// never runs into it.
final class Output: Sendable {
  /// Where the text goes.
  private enum Destination {
    case descriptor(Int32)
    case memory
    /// To a descriptor that was closed at the start, and may since stand for something else.
    case nowhere
  }

  /// What has been written and has to be remembered.
  private struct Contents {
    var text = ""
    var hasStatus = false
  }

  /// The standard output and the standard error, to be asked for before anything is opened.
  static func standard() -> (output: Output, errors: Output) {
    (Output(descriptor: 1), Output(descriptor: 2))
  }

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

  private convenience init(descriptor: Int32) {
    let isTerminal = System.isTerminal(descriptor)
    self.init(
      System.isOpen(descriptor) ? .descriptor(descriptor) : .nowhere,
      width: isTerminal ? System.columns(of: descriptor) ?? 80 : nil)
  }

  private init(_ destination: Destination, width: Int? = nil) {
    self.destination = destination
    self.width = width
    isTerminal = width != nil
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

  /// Shows, on a terminal only, a line that the next text or status takes the place of.
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
    case .nowhere:
      throw .unwritable("it is closed")
    case .descriptor(let number):
      do throws(System.Refusal) {
        try System.put(text, to: number)
      } catch {
        throw error.isBrokenPipe ? .brokenPipe : .unwritable(error.reason)
      }
    }
  }
}
