public import Observation

/// One property as a mirror shows it, with its type erased: the value, and the means to renew it.
///
/// The functions are closures rather than methods so that they are compiled where the type of the
/// property is known. They are given the place of what they work on and capture nothing, so that
/// calling them counts no references.
@usableFromInline
final class ObservedPart: Tap {
  /// What the mirror shows, what it is about to, and how it comes by that.
  @usableFromInline
  struct Values<Value> {
    @usableFromInline
    var shown: Value
    /// What was drawn last, until it is shown.
    @usableFromInline
    var drawn: Value?
    /// What was drawn before that and never shown; not released where it is replaced, under the
    /// store's lock.
    @usableFromInline
    var outdated: [Value] = []
    @usableFromInline
    let part: PartReader<Value>

    @inlinable
    init(shown: Value, drawnBy part: PartReader<Value>) {
      self.shown = shown
      self.part = part
    }
  }

  /// What properties are tracked as parts of.
  @usableFromInline
  final class Subject: Observable, Sendable {
    /// What a registrar knows properties by; never called.
    subscript(part index: Int) -> Int { index }
  }

  /// Kept so that nothing else can have its identity.
  let keyPath: AnyKeyPath
  /// What the registrar knows the property by.
  let trackingPath: KeyPath<Subject, Int>
  /// Of the `Values`, which are used on the main actor alone, and live as long as this object.
  @usableFromInline
  let place: Place
  private let memory: AnyObject
  private let loading: (_ values: Place, _ state: Place) -> Void
  private let comparing: (_ values: Place) -> Bool
  private let renewing: (_ values: Place) -> Void
  /// Whether its readers have been told of a value that is not shown yet.
  var isAnnounced = false
  /// Whether there is a value that is not shown yet.
  private(set) var isPending = false
  var subscription: StoreSubscription?

  @usableFromInline
  init(
    _ keyPath: AnyKeyPath, number: Int, on core: StoreCore, _ footprint: Footprint,
    memory: AnyObject, _ place: Place, load: @escaping (_ values: Place, _ state: Place) -> Void,
    compare: @escaping (_ values: Place) -> Bool, renew: @escaping (_ values: Place) -> Void
  ) {
    self.keyPath = keyPath
    self.memory = memory
    self.place = place
    trackingPath = \.[part: number]
    loading = load
    comparing = compare
    renewing = renew
    super.init(core, footprint)
  }

  /// The property that `part` reads, with a value to show.
  @inlinable
  convenience init<Value>(
    _ keyPath: AnyKeyPath, number: Int, on core: StoreCore, showing values: Values<Value>,
    compare: @escaping (_ values: Place) -> Bool
  ) {
    let memory = Unguarded(values)
    self.init(
      keyPath, number: number, on: core, values.part.footprint, memory: memory, memory.place,
      load: { values, state in
        values.edit(Values<Value>.self) { values in
          if let drawn = values.drawn.take() { values.outdated.append(drawn) }
          if let offset = values.part.offset {
            values.drawn = state.advanced(by: offset).read(Value.self)
          } else {
            values.drawn = values.part.read(state)
          }
        }
      },
      compare: compare,
      renew: { values in
        // Released outside of any access: a user's `deinit` may lead back here.
        var (replaced, outdated): (Value?, [Value]) = (nil, [])
        values.edit(Values<Value>.self) { values in
          guard let drawn = values.drawn.take() else { return }
          replaced = values.shown
          values.shown = drawn
          swap(&outdated, &values.outdated)
        }
        withExtendedLifetime((replaced, outdated)) {}
      })
  }

  override func load(from state: Place) {
    loading(place, state)
    isPending = true
  }

  /// Whether the value that was drawn differs from the one shown.
  var differs: Bool { comparing(place) }

  /// Shows the value that was drawn.
  func renew() {
    isPending = false
    renewing(place)
  }

  /// Whether values that can be compared differ.
  @inlinable
  static func differ<Value: Equatable>(_ type: Value.Type, _ values: Place) -> Bool {
    // Compared outside of any access: a user's `==` may lead back here.
    let (shown, drawn) = values.edit(Values<Value>.self) { ($0.shown, $0.drawn) }
    return drawn.map { $0 != shown } ?? false
  }
}
