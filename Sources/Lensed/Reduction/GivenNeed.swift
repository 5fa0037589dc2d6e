/// A value that is asked for by its type, and its asker: for the proof that something gives it.
struct GivenNeed: Sendable {
  enum Asker: Sendable {
    case reducer(Footprint)
    /// An effect or a feature, as messages call it.
    case named(String)
  }

  let type: any Any.Type
  /// The state of the feature that asks.
  let state: any Any.Type
  var asker: Asker
  let site: CallSite

  init(_ type: any Any.Type, in state: any Any.Type, of asker: Asker, at site: CallSite) {
    (self.type, self.state, self.asker, self.site) = (type, state, asker, site)
  }

  var askerName: String {
    switch asker {
    case .reducer(let part): "the reducer of \(code: part.name) of \(code: state)"
    case .named(let name): name
    }
  }
}

extension ReducerCase {
  /// The case of a reducer that asks for a value: no store runs it before something gives that.
  static func asking<State, Part, Value: Sendable, A: Action>(
    _ need: GivenNeed, _ lens: Lens<State, Part>,
    _ reduce: @escaping @Sendable (_ part: inout Part, _ action: A, _ value: Value) -> Void
  ) -> ReducerCase {
    var answer = ReducerCase(.one(A.self, .perhaps { _, _ in need.trapAlone() }))
    answer.need = need
    answer.reading = {
      let cell = UnsafeCell<Value?>(nil)
      // It never runs on the fast path, which copies nothing.
      let run = ReducerCase.Run.perhaps { state, action in
        guard let value = cell.value.take() else { return .passedOver }
        return lens.run(in: state) { part in
          part.edit(Part.self) { reduce(&$0, action.read(A.self), value) }
          return .ran
        }
      }
      return CaseReading(
        capture: nil, run: ReducerCase(.one(A.self, run)),
        receive: { cell.value = $0.read(Value.self) },
        clear: { cell.value = nil })
    }
    return answer
  }

  /// The case of a state that has the value which this one asks for, or of a constant.
  func given(by giver: Giver) -> ReducerCase {
    guard let need, giver.gives(need.type), let make = reading, let type else { return self }
    var answer = self
    answer.need = nil
    answer.reading = {
      let reading = make()
      // It writes nothing, so that nothing on the way to the value is taken for edited.
      let capture = ReducerCase.Run.perhaps { state, _ in
        _ = giver.lend(state, []) { reading.receive($0) }
        return .passedOver
      }
      return CaseReading(
        capture: ReducerCase(.one(type, capture)), run: reading.run, receive: reading.receive,
        clear: reading.clear)
    }
    return answer
  }
}

extension GivenNeed {
  fileprivate func trapAlone() -> Never {
    fatalError(
      """
      Lensed: \(askerName) at \(site) asks for a given \(code: type) and was run without a store; this is a fault of \
      Lensed.
      """)
  }
}
