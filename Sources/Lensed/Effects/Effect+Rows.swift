extension Effect {
  /// An effect of each change of one row of a collection; the row is nil while it is not there.
  ///
  /// ```swift
  /// Effect<App>(whenChanged: \.rows, id: 7, .latest) { row, context in … }
  /// ```
  ///
  /// Actions for other rows do not concern it. Replacing the state, by undo too, does not trigger it, unless it is
  /// `including: .replacement`.
  ///
  /// - Parameters:
  ///   - keyPath: The collection: `Entities`, an array of `Identifiable` elements, a dictionary.
  ///   - id: The id of the row; in a dictionary, its key.
  ///   - policy: What becomes of a change that comes while the effect is running.
  ///   - triggers: When it runs beside changes: when it is installed, when the state is replaced.
  ///   - condition: Decides, on the state after the commit, whether the change triggers it.
  ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
  ///   - fileID: Where the effect is written, for its name.
  ///   - line: Where the effect is written, for its name.
  ///   - run: The work, with the new row.
  public init<Rows: RowCollection & SendableMetatype, Output: Sendable>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent, including triggers: EffectTriggers = [],
    when condition: (@Sendable (_ row: Rows.Row?, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ row: Rows.Row?, _ context: EffectContext<State>
      ) async throws -> Output
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler, at: site, run: Self.work(at: site, run))
  }

  /// An effect of each change of one row that returns actions of different types, or nil.
  @_disfavoredOverload
  public init<Rows: RowCollection & SendableMetatype>(
    whenChanged keyPath: any KeyPath<State, Rows> & Sendable, id: Rows.RowID,
    _ policy: EffectPolicy = .concurrent, including triggers: EffectTriggers = [],
    when condition: (@Sendable (_ row: Rows.Row?, _ change: Change<State>) -> Bool)? = nil,
    catch handler: ErrorHandler? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ run:
      @escaping @concurrent @Sendable (
        _ row: Rows.Row?, _ context: EffectContext<State>
      ) async throws -> (any Action)?
  ) where Rows.RowID: Sendable, Rows.Row: Equatable & Sendable {
    let site = CallSite(fileID: fileID, function: "an effect", line: line)
    self.init(
      changesOf: .row(id, of: PartPath(keyPath, for: .effect)), policy, triggers, when: condition,
      catch: handler, at: site, run: Self.work(at: site, run))
  }
}
