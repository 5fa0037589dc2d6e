/// Is told how the run of an input ended, and dispatches what comes of that.
typealias EffectEnded<State: Sendable> =
  @Sendable (_ end: EffectEnd, _ input: any Sendable, _ context: EffectContext<State>) -> Void

extension Effect {
  /// This effect, which says how each of its runs ended, by an action or by none.
  ///
  /// ```swift
  /// Effect<AppState>(on: Load.self, .latest) { load, context in
  ///   Loaded(try await api.load(load.id))
  /// }
  /// .ended { end, _ in
  ///   switch end {
  ///   case .finished, .superseded: nil
  ///   case .failed(let error): LoadFailed("\(error)")
  ///   case .cancelled, .gone: LoadStopped()
  ///   }
  /// }
  /// ```
  ///
  /// A flag that a reducer sets for the trigger is cleared here, whatever becomes of the run. `catch:` is called for errors
  /// alone, and what a cancelled run dispatches is not applied.
  ///
  /// **Guarantees.** `action` is called once for each run, as soon as that can commit nothing more: right after the commit
  /// or the call that ended it, or when its code has returned and its sequences have ended. It is called for a trigger that
  /// waited, in a queue or for a lull, and was ended before it ran. The thread that ended the run calls it, without a lock.
  ///
  /// It is not called for a trigger that began nothing: `when:` refused it, the policy ignored it, it came in the silence
  /// of a `throttled(for:)`, or what the effect is tied to, or its child, was not there after the commit. Nor is it called
  /// for a trigger that a newer one replaced in its wait for a lull, nor when the store goes.
  ///
  /// The action is a commit of the store, not of the run: no cancellation of the run or of its dispatch reaches it.
  /// `finish()` and `settled()` wait for it. It is lifted like any action of the feature. If the child has gone, only
  /// owners above it handle the action, and the store does not warn of that. If another child has taken its place by
  /// then, the action would be for that one. So it is not applied, and the store does not warn of that either. Nor is it
  /// applied if a commit of a replay has ended the run: the state is that of the session. If an undo, a redo or a jump has,
  /// it is no step of a `History`, and keeps the redo list.
  ///
  /// An action that triggers this effect again is a loop, of which the store warns after 1,000 rounds. If each round cuts
  /// the run of the round before short, as under `.latest`, the store also breaks the loop there.
  ///
  /// If it is written twice, both are called.
  ///
  /// - Parameters:
  ///   - fileID: Where it is written, as the place of its commits.
  ///   - line: Where it is written.
  ///   - action: Returns the action for an end, or nil. Its context has the state as it is by then.
  /// - Returns: The effect, which says how its runs ended.
  public func ended(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ action:
      @escaping @Sendable (
        _ end: EffectEnd, _ context: EffectContext<State>
      ) -> (any Action)?
  ) -> Effect {
    telling(at: fileID, line) { end, _, context in action(end, context) }
  }

  /// This effect, which says how each of its runs for inputs of one type ended, given the input: the action, or the
  /// value, that the run was for.
  ///
  /// ```swift
  /// Effect<Likes>(on: Like.self) { like, _ in try await server.add(like) }
  ///   .ended(of: Like.self) { end, like, _ in
  ///     if case .finished = end { Confirm(id: like.id) } else { PutBack(id: like.id) }
  ///   }
  /// ```
  ///
  /// See `ended(_:)` for all that holds of it.
  ///
  /// - Parameters:
  ///   - type: The type of the input; it is not called for runs of others.
  ///   - fileID: Where it is written, as the place of its commits.
  ///   - line: Where it is written.
  ///   - action: Returns the action for an end, or nil.
  /// - Returns: The effect, which says how its runs ended.
  public func ended<Input: Sendable>(
    of type: Input.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ action:
      @escaping @Sendable (
        _ end: EffectEnd, _ input: Input, _ context: EffectContext<State>
      ) -> (any Action)?
  ) -> Effect {
    telling(at: fileID, line) { end, input, context in
      (input as? Input).flatMap { action(end, $0, context) }
    }
  }

  private func telling(
    at fileID: StaticString, _ line: UInt,
    _ action:
      @escaping @Sendable (
        _ end: EffectEnd, _ input: any Sendable, _ context: EffectContext<State>
      ) -> (any Action)?
  ) -> Effect {
    with {
      $0.ended.append { end, input, context in
        if let action = action(end, input, context) {
          context.dispatch(action, fileID: fileID, function: "an effect", line: line)
        }
      }
    }
  }
}

extension EffectRunner {
  /// What tells how the run of an input ended; nil where no `ended` asks.
  func makeEnding(of input: EffectSubject<State>) -> RunEnding? {
    makeEnding(of: input.value, in: input.seat, after: input.report)
  }

  /// The same for a trigger, which may have begun no run.
  func makeEnding(
    of value: any Sendable, in seat: EffectSeat<State>, after report: any CommitReport
  ) -> RunEnding? {
    if !asksForEnds { return nil }
    let (home, label) = (seat.home, seat.runs.label)
    return RunEnding(of: label) { [self] end, teller in
      guard let teller else { return warnOfEndlessRounds(of: label) }
      let context = EffectContext(home: home, report: report, work: teller)
      for ended in effect.ended {
        ended(end, value, context)
      }
    }
  }

  /// Warns that effects have set each other off for long.
  func warnOfEndlessRounds(of label: WorkLabel) {
    guard let warnings = view.core.warnings else { return }
    var warning = StoreWarning(.endlessEffects)
    warning.effect = label.name
    warnings.report(warning)
  }
}
