internal import Foundation

/// A call of a storage that failed.
public struct DiskFault: Error, Sendable, Hashable {
  /// Why it failed.
  public enum Reason: Sendable, Hashable {
    /// What the operating system says: an `errno`.
    case code(Int32)
    /// It is a link, a device, a folder or something else that is no plain file.
    case notPlain
    /// Another owner has the lock.
    case locked
    /// There is no such file.
    case missing
  }

  /// What was tried.
  public enum Operation: Sendable, Hashable {
    /// To open, to read and to write a file.
    case open, read, write
    /// To bring a file, or the names of a folder, to the disk.
    case sync
    /// To give a file another name, and to remove one.
    case rename, remove
    /// To take the lock of the folder.
    case lock
    /// To read the names of a folder, and to make one.
    case list, makeFolder
  }

  /// Why it failed.
  public var reason: Reason
  /// What was tried.
  public var operation: Operation
  /// The name of the file.
  public var file: String

  /// A call that failed.
  public init(_ reason: Reason, _ operation: Operation, _ file: String) {
    (self.reason, self.operation, self.file) = (reason, operation, file)
  }
}

extension DiskFault {
  /// Whether a file could not be made because there is one of its name.
  var isTaken: Bool { reason == .code(EEXIST) && operation == .open }
}

extension DiskFault: CustomStringConvertible {
  /// What was tried, and why it failed.
  public var description: String {
    "it failed to \(operation == .makeFolder ? "make" : "\(operation)") \(file) (\(text))"
  }

  /// What the operating system calls the reason.
  var text: String {
    switch reason {
    case .code(let code): unsafe String(cString: strerror(code))
    case .notPlain: "it is no plain file"
    case .locked: "another owner has its lock"
    case .missing: "it is not there"
    }
  }
}
