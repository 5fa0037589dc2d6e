/// The text of a literal, in one word, where a `StaticString` takes three: every dispatch passes its call site along.
///
/// Every thread can read it: a literal is never written and never freed.
@safe
@usableFromInline
struct StaticCString: @unchecked Sendable {
  /// The first of the literal's bytes, which end with a zero and live as long as the program.
  @usableFromInline
  let start: UnsafePointer<UInt8>

  @inlinable
  init(_ literal: StaticString) { unsafe start = literal.utf8Start }

  /// The text that was made while the program ran; nil once too many different ones are kept.
  init?(keeping text: String) {
    guard let kept = Self.kept.withLock({ Self.keep(text, in: &$0) }) else { return nil }
    self = kept
  }

  /// The texts that are no literals; they are never freed, so each is kept once, and their number is bounded.
  private static let kept = Locked<[String: StaticCString]>([:])
  private static let limit = 10_000

  private static func keep(
    _ text: String, in kept: inout [String: StaticCString]
  ) -> StaticCString? {
    if let known = kept[text] { return known }
    // What ends at a zero cannot have one in it.
    let bytes = Array(text.utf8)
    if kept.count >= limit || bytes.count > 1_000 || bytes.contains(0) { return nil }
    let new = StaticCString(copying: bytes)
    kept[text] = new
    return new
  }

  private init(copying bytes: [UInt8]) {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
    for (index, byte) in (bytes + [0]).enumerated() {
      unsafe (copy + index).initialize(to: byte)
    }
    unsafe start = UnsafePointer(copy)
  }

  var string: String { unsafe String(cString: start) }
}
