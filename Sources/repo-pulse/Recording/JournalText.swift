import Lensed

/// The text of a journal, made step by step: what `Journal` decodes, without all of it in memory.
///
/// The sum comes last, because it is of all that stands before it. `JournalTextTests` holds both kinds
/// of journal equal.
struct JournalText {
  /// An action by its registered name, as the coder has it.
  struct Item {
    let name: String
    let value: String
  }

  /// What was made since the last `take()`.
  private var made: [UInt8] = []
  private var sum: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var count = 0

  /// Begins with the text of a state.
  init(initial: String) {
    append(#"{"format":1,"initial":"#)
    append(literal: initial)
    append(#","steps":["#)
    mix(initial)
  }

  /// The bytes that were made since they were last asked for.
  mutating func take() -> [UInt8] {
    defer { made.removeAll(keepingCapacity: true) }
    return made
  }

  var size: Int { made.count }

  /// A commit of actions, and where they were dispatched if it is known.
  mutating func add(_ items: [Item], from origin: String?) {
    separate()
    append(#"{"actions":["#)
    mix(items.count)
    for (index, item) in items.enumerated() {
      append(index == 0 ? #"{"name":"# : #",{"name":"#)
      append(literal: item.name)
      append(#","value":"#)
      append(literal: item.value)
      append("}")
      mix(item.name)
      mix(item.value)
    }
    append("]")
    if let origin {
      append(#","origin":"#)
      append(literal: origin)
    }
    append("}")
    mix(nil)
    mix(origin)
  }

  /// A commit that only the state after it tells.
  mutating func add(state: String) {
    separate()
    append(#"{"actions":[],"state":"#)
    append(literal: state)
    append("}")
    mix(0)
    mix(state)
    mix(nil)
  }

  mutating func finish() {
    append(#"],"checksum":""# + String(sum, radix: 16) + "\"}")
  }

  private mutating func separate() {
    if count > 0 { append(",") }
    count += 1
  }

  private mutating func append(_ text: String) {
    made += Array(text.utf8)
  }

  private mutating func append(literal text: String) {
    made.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): made += [UInt8(ascii: "\\"), byte]
      case ..<0x20:
        let digits = String(byte, radix: 16)
        append("\\u00" + (byte < 16 ? "0" : "") + digits)
      default: made.append(byte)
      }
    }
    made.append(UInt8(ascii: "\""))
  }

  // The sum of a journal of format 1: FNV-1a of the lengths and bytes of its texts.

  private mutating func mix(_ text: String?) {
    guard let text else { return mix(-1) }
    mix(text.utf8.count)
    for byte in text.utf8 { mix(byte) }
  }

  private mutating func mix(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      mix(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private mutating func mix(_ byte: UInt8) {
    sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
