import Lensed
import LensedTestSupport

struct Existential: Specimen {
  let small: any Specimen
  let large: any Specimen
  static func make(_ number: UInt64, _ cage: Cage) -> Existential {
    Existential(small: Bytes8.make(number, cage), large: Bytes40.make(number, cage))
  }
  var fingerprint: [UInt64] { small.fingerprint + large.fingerprint }
}

struct Tuples: Specimen {
  let pair: (UInt8, (UInt64, String))
  let row: (UInt16, UInt16, UInt16)
  static func make(_ number: UInt64, _ cage: Cage) -> Tuples {
    let word = UInt16(truncatingIfNeeded: number)
    return Tuples(
      pair: (UInt8(truncatingIfNeeded: number), (number, "\(number)")),
      row: (word, word &+ 1, word &+ 2))
  }
  var fingerprint: [UInt64] {
    [UInt64(pair.0), pair.1.0, UInt64(row.0), UInt64(row.1), UInt64(row.2)]
      + pair.1.1.utf8.map(UInt64.init)
  }
}

/// A generic type, whose layout depends on what it is made of.
struct Both<First: Specimen, Second: Specimen>: Specimen {
  let first: First
  let second: Second
  static func make(_ number: UInt64, _ cage: Cage) -> Both {
    Both(first: .make(number, cage), second: .make(number &+ 1_000, cage))
  }
  var fingerprint: [UInt64] { first.fingerprint + second.fingerprint }
}

/// Its alignment is greater than that of a pointer.
struct Vector: Specimen {
  let vector: SIMD8<UInt64>
  let byte: UInt8
  static func make(_ number: UInt64, _ cage: Cage) -> Vector {
    Vector(
      vector: SIMD8(repeating: number) &+ SIMD8(0, 1, 2, 3, 4, 5, 6, 7),
      byte: UInt8(truncatingIfNeeded: number))
  }
  var fingerprint: [UInt64] { vector.indices.map { vector[$0] } + [UInt64(byte)] }
}

struct Function: Specimen {
  let answer: @Sendable () -> UInt64
  static func make(_ number: UInt64, _ cage: Cage) -> Function {
    Function { [token = cage.alive.token()] in withExtendedLifetime(token) { number } }
  }
  var fingerprint: [UInt64] { [answer()] }
}

/// It holds a reference beside its content.
struct Counted: Specimen {
  let content: Bytes32
  let token: LiveCount.Token
  static func make(_ number: UInt64, _ cage: Cage) -> Counted {
    Counted(content: .make(number, cage), token: cage.alive.token())
  }
  var fingerprint: [UInt64] { content.fingerprint }
}

enum CountedChoice: Specimen {
  case none
  case token(LiveCount.Token, UInt64)
  indirect case chain(CountedChoice, Counted)
  static func make(_ number: UInt64, _ cage: Cage) -> CountedChoice {
    switch number % 3 {
    case 0: .none
    case 1: .token(cage.alive.token(), number)
    default: .chain(.token(cage.alive.token(), number), .make(number, cage))
    }
  }
  var fingerprint: [UInt64] {
    switch self {
    case .none: [0]
    case .token(_, let word): [1, word]
    case .chain(let rest, let counted): [2] + rest.fingerprint + counted.fingerprint
    }
  }
}

struct CountedExistential: Specimen {
  let first: any Specimen
  let object: any Sendable
  let second: any Specimen
  static func make(_ number: UInt64, _ cage: Cage) -> CountedExistential {
    CountedExistential(
      first: Counted.make(number, cage), object: cage.alive.token(),
      second: CountedChoice.make(number, cage))
  }
  var fingerprint: [UInt64] { first.fingerprint + second.fingerprint }
}

struct CountedArray: Specimen {
  let all: [Counted]
  static func make(_ number: UInt64, _ cage: Cage) -> CountedArray {
    CountedArray(all: (0..<(number % 3 + 1)).map { .make(number &+ $0, cage) })
  }
  var fingerprint: [UInt64] { all.flatMap(\.fingerprint) }
}

/// Its end is an act: it dispatches to another store.
struct Ringing: Specimen {
  let number: UInt64
  let bell: Bell
  static func make(_ number: UInt64, _ cage: Cage) -> Ringing {
    Ringing(number: number, bell: cage.bell())
  }
  var fingerprint: [UInt64] { [number] }
}
