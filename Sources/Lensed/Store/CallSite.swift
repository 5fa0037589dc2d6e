/// Where in the source an action was dispatched.
public struct CallSite: Sendable, CustomStringConvertible {
  /// The module and file.
  public let fileID: StaticString
  /// The function.
  public let function: StaticString
  /// The line, from 1.
  public let line: UInt

  @inlinable
  init(_ fileID: StaticString, _ function: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.function = function
    self.line = line
  }

  /// The place as `Module/File.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}
