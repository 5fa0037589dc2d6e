import Lensed
import LensedTestSupport

/// The types of the zoo, by size and by shape.
enum Zoo {
  static let kinds: [ZooKind] = types.map(ZooKind.init)

  private static let types: [any Specimen.Type] = [
    Bytes0.self, Bytes1.self, Bytes8.self, Bytes24.self, Bytes25.self, Bytes32.self, Bytes40.self,
    Bytes4096.self, Texts.self, Flag.self, SoleCase.self, Choice.self, Nested.self, Optionals.self,
    Existential.self, Tuples.self, Both<Bytes1, Bytes40>.self, Both<Bytes25, Texts>.self,
    Both<Counted, Bytes4096>.self, Vector.self, Function.self, Counted.self, CountedChoice.self,
    CountedExistential.self, CountedArray.self, Ringing.self, Both<Ringing, Bytes25>.self,
  ]
}

struct Bytes0: Specimen {
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes0 { Bytes0() }
  var fingerprint: [UInt64] { [] }
}

struct Bytes1: Specimen {
  let byte: UInt8
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes1 {
    Bytes1(byte: UInt8(truncatingIfNeeded: number))
  }
  var fingerprint: [UInt64] { [UInt64(byte)] }
}

struct Bytes8: Specimen {
  let word: UInt64
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes8 { Bytes8(word: number &* 0x9E37_79B9) }
  var fingerprint: [UInt64] { [word] }
}

struct Bytes24: Specimen {
  let a, b, c: UInt64
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes24 {
    Bytes24(a: number, b: ~number, c: number &* 3)
  }
  var fingerprint: [UInt64] { [a, b, c] }
}

struct Bytes25: Specimen {
  let words: Bytes24
  let byte: UInt8
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes25 {
    Bytes25(words: .make(number, cage), byte: UInt8(truncatingIfNeeded: number &+ 7))
  }
  var fingerprint: [UInt64] { words.fingerprint + [UInt64(byte)] }
}

struct Bytes32: Specimen {
  let a, b, c, d: UInt64
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes32 {
    Bytes32(a: number, b: ~number, c: number &* 3, d: number &* 5)
  }
  var fingerprint: [UInt64] { [a, b, c, d] }
}

struct Bytes40: Specimen {
  let words: Bytes32
  let e: UInt64
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes40 {
    Bytes40(words: .make(number, cage), e: number &* 11)
  }
  var fingerprint: [UInt64] { words.fingerprint + [e] }
}

/// Four of one type in a row.
struct Four<Quarter: Specimen>: Specimen {
  let a, b, c, d: Quarter
  static func make(_ number: UInt64, _ cage: Cage) -> Four {
    Four(
      a: .make(number &* 4, cage), b: .make(number &* 4 &+ 1, cage),
      c: .make(number &* 4 &+ 2, cage), d: .make(number &* 4 &+ 3, cage))
  }
  var fingerprint: [UInt64] { a.fingerprint + b.fingerprint + c.fingerprint + d.fingerprint }
}

/// 128 times 32 bytes.
struct Bytes4096: Specimen {
  let halves: Both<Four<Four<Four<Bytes32>>>, Four<Four<Four<Bytes32>>>>
  static func make(_ number: UInt64, _ cage: Cage) -> Bytes4096 {
    Bytes4096(halves: .make(number, cage))
  }
  var fingerprint: [UInt64] { halves.fingerprint }
}

struct Texts: Specimen {
  let short: String
  let long: String
  static func make(_ number: UInt64, _ cage: Cage) -> Texts {
    Texts(short: "\(number % 1_000)", long: "a text that has to be on the heap, number \(number)")
  }
  var fingerprint: [UInt64] { (Array(short.utf8) + [0] + Array(long.utf8)).map(UInt64.init) }
}

enum Flag: Specimen, CaseIterable {
  case red, green, blue
  static func make(_ number: UInt64, _ cage: Cage) -> Flag { allCases[Int(number % 3)] }
  var fingerprint: [UInt64] { [self == .red ? 0 : self == .green ? 1 : 2] }
  static func == (left: Flag, right: Flag) -> Bool {
    switch (left, right) {
    case (.red, .red), (.green, .green), (.blue, .blue): true
    default: false
    }
  }
}

enum SoleCase: Specimen {
  case only
  static func make(_ number: UInt64, _ cage: Cage) -> SoleCase { .only }
  var fingerprint: [UInt64] { [] }
}

enum Choice: Specimen {
  case none
  case word(UInt64)
  case texts(Texts, UInt8)
  case wide(Bytes40)
  static func make(_ number: UInt64, _ cage: Cage) -> Choice {
    switch number % 4 {
    case 0: .none
    case 1: .word(number)
    case 2: .texts(.make(number, cage), UInt8(truncatingIfNeeded: number))
    default: .wide(.make(number, cage))
    }
  }
  var fingerprint: [UInt64] {
    switch self {
    case .none: [0]
    case .word(let word): [1, word]
    case .texts(let texts, let byte): [2, UInt64(byte)] + texts.fingerprint
    case .wide(let wide): [3] + wide.fingerprint
    }
  }
}

indirect enum Nested: Specimen {
  case leaf(UInt64)
  case branch(Nested, Nested)
  static func make(_ number: UInt64, _ cage: Cage) -> Nested {
    .branch(.branch(.leaf(number), .leaf(~number)), .leaf(number &* 7))
  }
  var fingerprint: [UInt64] {
    switch self {
    case .leaf(let word): [word]
    case .branch(let left, let right): [1] + left.fingerprint + [2] + right.fingerprint
    }
  }
}

struct Optionals: Specimen {
  let byte: UInt8?
  let text: String?
  let deep: UInt64??
  let wide: Bytes25?
  static func make(_ number: UInt64, _ cage: Cage) -> Optionals {
    Optionals(
      byte: number % 2 == 0 ? nil : UInt8(truncatingIfNeeded: number),
      text: number % 3 == 0 ? nil : "text number \(number), too long for its place",
      deep: number % 5 == 0 ? .some(nil) : number, wide: number % 2 == 0 ? .make(number, cage) : nil
    )
  }
  var fingerprint: [UInt64] {
    let byte: [UInt64] = byte.map { [1, UInt64($0)] } ?? [0]
    let text: [UInt64] = text.map { $0.utf8.map { UInt64($0) } } ?? []
    let deep: [UInt64] = deep.map { $0.map { [2, $0] } ?? [1] } ?? [0]
    return byte + text + deep + (wide?.fingerprint ?? [])
  }
}
