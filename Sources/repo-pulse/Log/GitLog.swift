/// The bytes of `git log`, in chunks as they come.
///
/// It is read once, by one iterator.
struct GitLog: AsyncSequence, Sendable {
  private let process: GitProcess
  private let repository: Repository

  /// Starts git, which waits as soon as a pipe's worth of its log is unread.
  init(_ repository: Repository, of revisions: [ByteString] = ["HEAD"]) throws(Failure) {
    self.repository = repository
    process = try repository.git(["log"] + LogParser.arguments + revisions + ["--"])
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(process: process, repository: repository)
  }

  /// Ends when git has ended well, and fails with the reason when it has not.
  struct Iterator: AsyncIteratorProtocol {
    fileprivate let process: GitProcess
    fileprivate let repository: Repository
    private var hasRead = false

    fileprivate init(process: GitProcess, repository: Repository) {
      self.process = process
      self.repository = repository
    }

    mutating func next() async throws -> [UInt8]? {
      let chunk = try await withTaskCancellationHandler { [process] in
        try await process.output.next()
      } onCancel: { [process] in
        process.terminate()
      }
      try Task.checkCancellation()
      if let chunk {
        hasRead = true
        return chunk
      }
      let ending = await process.ending()
      if ending.status != 0 {
        throw await repository.diagnosis(of: ending, hasRead: hasRead)
      }
      return nil
    }
  }
}
