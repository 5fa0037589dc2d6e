import Lensed
import LensedTestSupport
import Testing

/// A value of one memory layout: an action, a part and a payload at once.
///
/// Equal fingerprints mean that every stored bit that counts has arrived. Two numbers in a row make
/// different values, unless the type has one value only.
protocol Specimen: Action, Hashable {
  /// The value that stands for a number; what it holds alive is counted in the cage.
  static func make(_ number: UInt64, _ cage: Cage) -> Self
  /// All of the content, as numbers.
  var fingerprint: [UInt64] { get }
}

extension Specimen {
  static func == (left: Self, right: Self) -> Bool { left.fingerprint == right.fingerprint }

  func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

/// Counts what the specimens hold, so that a test sees all of it released.
final class Cage: Sendable {
  let alive = LiveCount()
  let bellsMade = Counter()
  /// Dispatched to by each `deinit` that acts.
  let neighbour: Store<Desk>

  init() throws {
    neighbour = try Desk.makeStore()
  }

  /// An object whose `deinit` dispatches to another store.
  func bell() -> Bell {
    bellsMade.increment()
    return Bell { [neighbour] in neighbour.dispatch(CountAction.add(1)) }
  }

  /// Whether nothing that was made here is alive, and each `deinit` has acted once.
  var isEmpty: Bool { alive.value == 0 && neighbour.count == bellsMade.value }

  var description: String {
    "\(alive.value) objects alive; of \(bellsMade.value) deinits \(neighbour.count) have acted"
  }
}

/// One type of the zoo, as a test argument.
struct ZooKind: Sendable, CustomTestStringConvertible {
  let type: any Specimen.Type

  var testDescription: String { "\(type)" }
}

/// The type of a specimen with its size, for messages.
func zooName<S: Specimen>(_ type: S.Type) -> String {
  "\(type), \(MemoryLayout<S>.size) bytes"
}
