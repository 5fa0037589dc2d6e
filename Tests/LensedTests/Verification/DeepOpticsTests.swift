import Lensed
import LensedTestSupport
import Testing

/// Each in a process of its own: whoever runs out of stack ends it.
@Suite("Compositions as deep as they may be, on a small stack", .timeLimit(.minutes(30)))
struct DeepOpticsTests {
  private static func repeated<T>(_ count: Int, _ first: T, _ next: (T) -> T) -> T {
    var value = first
    for _ in 1..<count { value = next(value) }
    return value
  }

  private static let identity = Lens<Desk, Desk>(name: "self", get: { $0 }) { desk, edit in
    edit(&desk)
  }
  private static let copying = Lens<Desk, Desk>(get: { $0 }, set: { $1 })

  @Test(arguments: [false, true])
  func `32 lenses without a place, appended from either side`(isFromFront: Bool) async {
    await #expect(processExitsWith: .success) { [isFromFront] in
      for lens in [Self.identity, Self.copying] {
        let parcel = Parcel(
          Self.repeated(32, lens) { isFromFront ? lens.appending($0) : $0.appending(lens) })
        SmallStack.run {
          guard let lens = parcel.take() else { return }
          var desk = Desk()
          lens.modify(&desk) { $0.count += 1 }
          precondition(lens.get(desk).count == 1)
          precondition(lens.set(desk, Desk(count: 7)).count == 7)
        }
      }
    }
  }

  @Test func `10,000 lenses with a place`() async {
    await #expect(processExitsWith: .success) {
      let lens = Lens(\Desk.self)
      let parcel = Parcel(Self.repeated(10_000, lens) { $0.appending(lens) })
      SmallStack.run {
        guard let lens = parcel.take() else { return }
        var desk = Desk()
        lens.modify(&desk) { $0.count += 1 }
        precondition(lens.get(desk).count == 1)
      }
    }
  }

  @Test(arguments: [false, true])
  func `100 prisms, appended from either side`(isFromFront: Bool) async {
    await #expect(processExitsWith: .success) { [isFromFront] in
      let prism = Prism<Desk, Desk>(embed: { $0 }, extract: { $0 })
      let parcel = Parcel(
        Self.repeated(100, prism) { isFromFront ? prism.appending($0) : $0.appending(prism) })
      SmallStack.run {
        guard let prism = parcel.take() else { return }
        var desk = Desk()
        prism.modify(&desk) { $0.count += 1 }
        precondition(prism.extract(desk)?.count == 1)
        precondition(prism.embed(desk).count == 1)
      }
    }
  }

  @Test func `deeper ones trap with a sentence`() async {
    let lens = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.repeated(33, Self.copying) { $0.appending(Self.copying) }
    }
    #expect(lens?.message.contains("more than 32 lenses") == true)
    let prism = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Self.repeated(101, Prism<Desk, Desk>.identity) { $0.appending(.identity) }
    }
    #expect(prism?.message.contains("more than 100 prisms") == true)
  }

  @Test func `a reducer that was lifted 100 times, each way`() async {
    await #expect(processExitsWith: .success) {
      let reducer = Reducer<Desk> { (desk: inout Desk, action: CountAction) in
        if case .add(let amount) = action { desk.count += amount }
      }
      let lifted = [
        Self.repeated(100, reducer) { $0.lifted(Self.copying) },
        Self.repeated(100, reducer) { $0.matching(Prism<Desk, Desk>.identity) },
        Self.repeated(100, reducer) { $0.lifted(action: Prism<CountAction, CountAction>.identity) },
        Self.repeated(10_000, reducer) { Reducer.combine($0, .identity) },
      ]
      for reducer in lifted {
        let parcel = Parcel(reducer)
        SmallStack.run {
          guard let reducer = parcel.take() else { return }
          var desk = Desk()
          reducer.reduce(&desk, CountAction.add(3))
          precondition(desk.count == 3)
          let store = try? Store(initialState: Desk()) {
            Mutator(lens: Lens.identity, reducer: reducer)
          }
          store?.dispatch(CountAction.add(3))
          precondition(store?.count == 3)
        }
      }
    }
  }

  @Test func `500 operators on a stream of states`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let parcel = Parcel(Self.repeated(500, store.states(\.count)) { $0.map { $0 + 1 } })
      SmallStack.run {
        guard let stream = parcel.take() else { return }
        let heard = Recorder<Int>()
        let subscription = stream.subscribe { heard.append($0) }
        store.dispatch(CountAction.add(1))
        subscription.cancel()
        precondition(heard.values == [499, 500])
      }
    }
  }

  @Test func `500 scopes in each other`() async {
    await #expect(processExitsWith: .success) {
      let store = try Desk.makeStore()
      let parcel = Parcel(Self.repeated(500, store.scope(\.self)) { $0.scope(\.self) })
      SmallStack.run {
        guard let scope = parcel.take() else { return }
        scope.dispatch(CountAction.add(1))
        precondition(scope.count == 1)
      }
    }
  }
}
