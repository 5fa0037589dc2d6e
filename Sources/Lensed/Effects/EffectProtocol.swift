/// What an effect is made as.
///
/// `Effect` is the only one that conforms. It exists for the compiler: an initialiser that stands here is preferred less than those of `Effect`
/// itself, so that a closure which returns nothing, or one type of action, needs no annotation.
public protocol EffectProtocol<State> {
  /// The state that the effect reads.
  associatedtype State: Sendable

  /// The effect itself.
  init(_ effect: Effect<State>)
}

extension Effect: EffectProtocol {
  /// The effect itself.
  public init(_ effect: Effect<State>) {
    self = effect
  }
}

extension EffectProtocol {
  /// An effect of each action of a type that answers with an action of any type, or with nil.
  @_disfavoredOverload
  public init<A: Action>(
    on type: A.Type, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ action: A, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ action: A, _ context: EffectContext<State>) async throws ->
      (any Action)?
  ) {
    self.init(
      Effect<State>(on: type, policy, when: condition, catch: handler, fileID: fileID, line: line) {
        action, context -> Void in
        if let answer = try await run(action, context) {
          try await context.answer(answer, fileID, line)
        }
      })
  }

  /// An effect of each change of a value in the state that answers with an action of any type, or with nil.
  @_disfavoredOverload
  public init<Value: Equatable & Sendable>(
    whenChanged keyPath: any KeyPath<State, Value> & Sendable, _ policy: EffectPolicy = .concurrent,
    when condition: (@Sendable (_ value: Value, _ change: Change<State>) -> Bool)? = nil,
    catch handler: Effect<State>.ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (_ value: Value, _ context: EffectContext<State>) async throws
      ->
      (any Action)?
  ) {
    self.init(
      Effect<State>(
        whenChanged: keyPath, policy, when: condition, catch: handler, fileID: fileID, line: line
      ) {
        value, context -> Void in
        if let answer = try await run(value, context) {
          try await context.answer(answer, fileID, line)
        }
      })
  }
}
