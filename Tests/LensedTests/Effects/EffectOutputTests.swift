import Lensed
import LensedTestSupport
import Testing

private protocol AppAction: Action {}
private struct Bump: AppAction, Hashable {}
private struct Begin: Action {}

/// What an effect may return.
enum EffectOutput: String, CaseIterable, Codable, Sendable {
  // Dispatched, each time one action.
  case action, anyAction, refined, optionalRefined, composed, arrayOfRefined, emptyAndRefined
  case boxed, boxedArray, boxedSequence, optionalBoxed, arrayOfBoxed, arrayOfOptionalRefined
  case stream, streamOfRefined, boxedStream, streamOfBoxed, boxedStreamOfRefined
  // Refused as the effect is made.
  case set, slice, optionals, optionalAnyActions, nested, optionalNested, streamOfNumbers
  // Refused as it is returned.
  case boxedSet, boxedSlice, mixedBoxes, optionalRefinedWithNil, nestedRefined, streamOfBoxedArrays
  case boxedStreamOfNumbers
  // No action.
  case nothing, number, text, numbers, boxedNumber, boxedText, boxedNothing, boxedNumbers
  case arrayOfBoxedNumbers, refinedNil, streamOfBoxedNumbers

  private typealias Actions<Element> = any (Sequence<Element> & Sendable)
  private typealias Stream<Element> = any (AsyncSequence<Element, Never> & Sendable)

  private static func stream<Element: Sendable>(_ element: Element) -> AsyncStream<Element> {
    AsyncStream { feed in
      feed.yield(element)
      feed.finish()
    }
  }

  private func effect<Value: Sendable>(
    _ type: Value.Type, _ value: @autoclosure @escaping @Sendable () -> Value
  ) -> Effect<Int> {
    Effect(on: Begin.self) { _, _ -> Value in value() }
  }

  var effect: Effect<Int> {
    switch self {
    case .action: effect(Bump.self, Bump())
    case .anyAction: effect((any Action).self, Bump())
    case .refined: effect((any AppAction).self, Bump())
    case .optionalRefined: effect((any AppAction)?.self, Bump())
    case .composed: effect((any AppAction & Hashable).self, Bump())
    case .arrayOfRefined: effect([any AppAction].self, [Bump()])
    case .emptyAndRefined: effect([any AppAction]?.self, [Bump()])
    case .boxed: effect((any Sendable).self, Bump())
    case .boxedArray: effect((any Sendable).self, [Bump()])
    case .boxedSequence: effect(Actions<Bump>.self, [Bump()])
    case .optionalBoxed: effect((any Sendable)?.self, Bump())
    case .arrayOfBoxed: effect([any Sendable].self, [Bump()])
    case .arrayOfOptionalRefined: effect([(any AppAction)?].self, [Bump()])
    case .stream: effect(AsyncStream<Bump>.self, Self.stream(Bump()))
    case .streamOfRefined: effect(AsyncStream<any AppAction>.self, Self.stream(Bump()))
    case .boxedStream: effect(Stream<Bump>.self, Self.stream(Bump()))
    case .streamOfBoxed: effect(AsyncStream<any Sendable>.self, Self.stream(Bump()))
    case .boxedStreamOfRefined:
      effect((any Sendable).self, Self.stream(Bump() as any AppAction))

    case .set: effect(Set<Bump>.self, [Bump()])
    case .slice: effect(ArraySlice<any Action>.self, [Bump()])
    case .optionals: effect([Bump?].self, [Bump()])
    case .optionalAnyActions: effect([(any Action)?].self, [Bump()])
    case .nested: effect([[any Action]].self, [[Bump()]])
    case .optionalNested: effect([[any Action]?]?.self, [[Bump()]])
    case .streamOfNumbers: effect(AsyncStream<Int>.self, Self.stream(1))

    case .boxedSet: effect(Actions<Bump>.self, Set([Bump()]))
    case .boxedSlice: effect((any Sendable).self, [Bump()][...])
    case .mixedBoxes: effect([any Sendable].self, [1, Bump()])
    case .optionalRefinedWithNil: effect([(any AppAction)?].self, [nil, Bump()])
    case .nestedRefined: effect([[any AppAction]].self, [[Bump()]])
    case .streamOfBoxedArrays:
      effect(AsyncStream<any Sendable>.self, Self.stream([Bump() as any AppAction]))
    case .boxedStreamOfNumbers: effect((any Sendable).self, Self.stream(1))

    case .nothing: effect(Void.self, ())
    case .number: effect(Int.self, 1)
    case .text: effect(String.self, "text")
    case .numbers: effect([Int?].self, [1, nil])
    case .boxedNumber: effect((any Sendable).self, 1)
    case .boxedText: effect((any Sendable).self, "text")
    case .boxedNothing: effect((any Sendable).self, ())
    case .boxedNumbers: effect((any Sendable).self, [1, 2])
    case .arrayOfBoxedNumbers: effect([any Sendable].self, [1, [2]])
    case .refinedNil: effect((any AppAction)?.self, nil)
    case .streamOfBoxedNumbers: effect(AsyncStream<any Sendable>.self, Self.stream(1))
    }
  }

  /// The number of actions that are dispatched; nil where it traps.
  var count: Int? {
    switch self {
    case .action, .anyAction, .refined, .optionalRefined, .composed, .arrayOfRefined,
      .emptyAndRefined, .boxed, .boxedArray, .boxedSequence, .optionalBoxed, .arrayOfBoxed,
      .arrayOfOptionalRefined, .stream, .streamOfRefined, .boxedStream, .streamOfBoxed,
      .boxedStreamOfRefined:
      1
    case .set, .slice, .optionals, .optionalAnyActions, .nested, .optionalNested,
      .streamOfNumbers, .boxedSet, .boxedSlice, .mixedBoxes, .optionalRefinedWithNil,
      .nestedRefined, .streamOfBoxedArrays, .boxedStreamOfNumbers:
      nil
    case .nothing, .number, .text, .numbers, .boxedNumber, .boxedText, .boxedNothing,
      .boxedNumbers, .arrayOfBoxedNumbers, .refinedNil, .streamOfBoxedNumbers:
      0
    }
  }

  func run() async throws -> Int {
    let store = try Store(initialState: 0) {
      Mutator(\Int.self) { (count: inout Int, _: Bump) in count += 1 }
      effect
    }
    try await store.dispatch(Begin()).finish()
    return store.state
  }
}

@Suite("No action that an effect returns is lost", .timeLimit(.minutes(30)))
struct EffectOutputTests {
  @Test(arguments: EffectOutput.allCases.filter { $0.count != nil })
  func `it is dispatched, also out of a box`(output: EffectOutput) async throws {
    #expect(try await output.run() == output.count)
  }

  @Test(arguments: EffectOutput.allCases.filter { $0.count == nil })
  func `or the effect traps with a sentence`(output: EffectOutput) async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [output = output as EffectOutput] in
      _ = try await output.run()
    }
    #expect(try #require(result).message.contains("Lensed: an effect returns a `"))
  }
}
