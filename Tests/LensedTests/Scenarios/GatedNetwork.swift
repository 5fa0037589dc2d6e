import LensedTestSupport

/// A network whose answers a test gives: each request waits at a gate of its own.
///
/// ```swift
/// let network = GatedNetwork<String, [String]>()
/// let task = store.dispatch(SearchAction.search("alien"))
/// await network.request("alien").answer(["Alien"])
/// try await task.finish()
/// ```
final class GatedNetwork<Question: Sendable & Equatable, Answer: Sendable>: Sendable {
  final class Request: Sendable {
    let question: Question
    fileprivate let gate = Gate()
    fileprivate let outcomes = Recorder<Result<Answer, any Error>>()
    fileprivate let cancellations = Counter()

    fileprivate init(_ question: Question) {
      self.question = question
    }

    /// Whether whoever asked was cancelled before the answer came.
    var isCancelled: Bool { cancellations.value > 0 }

    func answer(_ answer: Answer) { end(.success(answer)) }
    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ outcome: Result<Answer, any Error>) {
      outcomes.append(outcome)
      gate.open()
    }
  }

  private let requests = Recorder<Request>()
  private let heedsCancellation: Bool
  private let onRequest: @Sendable () -> Void

  /// A network; one that does not heed cancellation answers also those who do not ask any more.
  init(
    heedsCancellation: Bool = true, onRequest: @escaping @Sendable () -> Void = {}
  ) {
    (self.heedsCancellation, self.onRequest) = (heedsCancellation, onRequest)
  }

  /// What was asked so far.
  var questions: [Question] { requests.values.map(\.question) }

  func ask(_ question: Question) async throws -> Answer {
    let request = Request(question)
    requests.append(request)
    onRequest()
    do {
      if heedsCancellation {
        try await request.gate.wait()
      } else {
        // A task of its own, which the cancellation does not reach.
        try await Task { try await request.gate.wait() }.value
      }
    } catch {
      request.cancellations.increment()
      throw error
    }
    guard let outcome = request.outcomes.last else { throw CancellationError() }
    return try outcome.get()
  }

  /// The first request with a question, or a later one, once it has been made.
  nonisolated(nonsending) func request(_ question: Question, number: Int = 1) async -> Request {
    var asked: [Request] = []
    var found: [Request] = []
    while found.count < number {
      asked = await requests.waitForCount(asked.count + 1)
      found = asked.filter { $0.question == question }
    }
    return found[number - 1]
  }
}
