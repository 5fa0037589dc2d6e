import Testing

extension ExitTest.Result {
  /// What the process wrote to standard error before it ended.
  var message: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
