/// Where in the source an action was dispatched.
public struct CallSite: Sendable, CustomStringConvertible {
  @usableFromInline
  let file: StaticCString
  @usableFromInline
  let caller: StaticCString

  /// The line, from 1.
  public let line: UInt

  /// The place that `#fileID`, `#function` and `#line` give.
  @inlinable
  public init(
    fileID: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) {
    file = StaticCString(fileID)
    caller = StaticCString(function)
    self.line = line
  }

  /// The place of a text as `description` returns it, which is kept for ever; nil for other texts, and once too many
  /// are kept.
  package init?(reading text: String, function: String?) {
    guard let colon = text.lastIndex(of: ":"), let line = UInt(text[text.index(after: colon)...]),
      let file = StaticCString(keeping: String(text[..<colon])),
      let caller = StaticCString(keeping: function ?? "")
    else { return nil }
    (self.file, self.caller, self.line) = (file, caller, line)
  }

  /// The module and file.
  public var fileID: String { file.string }

  /// The function.
  public var function: String { caller.string }

  /// The place as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
