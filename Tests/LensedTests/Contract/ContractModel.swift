import Lensed
import LensedTestSupport

/// The state and the actions that the contract's snippets are written with.
enum Contract {
  struct AppState: Sendable, Equatable, Codable {
    var counter = CounterState()
    var user = UserState()
    let configuration: Configuration

    init(counter: Int = 0, user: String? = nil, endpoint: String = "here") {
      self.counter = CounterState(value: counter)
      self.user = UserState(name: user)
      configuration = Configuration(endpoint: endpoint)
    }

    /// A property that nothing is stored for.
    var summary: String { "\(user.name ?? "nobody"): \(counter.value)" }
  }

  struct CounterState: Sendable, Equatable, Codable {
    var value = 0
    var log: [Int] = []
  }

  struct UserState: Sendable, Equatable, Codable {
    var name: String?
  }

  struct Configuration: Sendable, Equatable, Codable {
    var endpoint: String
  }

  enum AppAction: Action, Equatable {
    case increase(Int)
    case decrease(Int)
    case clear
    case start
    case stop
    case line(Int)
  }

  enum OtherAction: Action, Equatable {
    case reset
    case logIn(String)
  }

  static let counterReducer = Reducer { (counter: inout CounterState, action: AppAction) in
    switch action {
    case .increase(let amount): counter.value += amount
    case .decrease(let amount): counter.value -= amount
    case .clear: counter = CounterState()
    case .start: counter.log.append(-1)
    case .stop: counter.log.append(-2)
    case .line(let number): counter.log.append(number)
    }
  }
  .on(OtherAction.self) { counter, action in
    if action == .reset { counter.value = 0 }
  }

  static let userReducer = Reducer { (user: inout UserState, action: OtherAction) in
    switch action {
    case .reset: user.name = nil
    case .logIn(let name): user.name = name
    }
  }
  .on(AppAction.self) { user, action in
    if action == .clear { user.name = nil }
  }

  static func makeStore(
    _ state: AppState = AppState(), middleware: [any Middleware<AppState>] = [],
    @StoreBuilder<AppState> _ more: () -> [StorePart<AppState>] = { [] }
  ) throws -> Store<AppState> {
    try Store(initialState: state, middleware: middleware) {
      Mutator(\.counter, counterReducer)
      Mutator(\.user, userReducer)
      Constant(\.configuration)
      more()
    }
  }

  /// A sequence that ticks so many times.
  static func ticks(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for tick in 0..<count { continuation.yield(tick) }
      continuation.finish()
    }
  }
}
