/// The text of a literal, in one word.
///
/// A `StaticString` takes three words. Every dispatch passes its call site along, so a call site is kept
/// small enough for registers. Every thread can read it: a literal is never written and never freed.
@safe
@usableFromInline
struct StaticCString: @unchecked Sendable {
  /// The first of the literal's bytes, which end with a zero and live as long as the program.
  @usableFromInline
  let start: UnsafePointer<UInt8>

  @inlinable
  init(_ literal: StaticString) {
    unsafe start = literal.utf8Start
  }

  /// The text.
  var string: String { unsafe String(cString: start) }
}
