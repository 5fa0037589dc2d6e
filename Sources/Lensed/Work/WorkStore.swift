/// What work needs of the store that its commits are made in.
protocol WorkStore: AnyObject, Sendable {
  /// All of the work that has a seat has ended.
  func forget(_ seat: Int)

  /// Returns when no commit is under way that had begun before.
  func awaitCommit()

  /// Tells whoever is told of errors that nobody caught.
  func report(_ error: any Error, of label: WorkLabel)
}
