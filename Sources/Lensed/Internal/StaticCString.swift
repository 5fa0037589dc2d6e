/// A literal's text, as one word.
///
/// A `StaticString` is three; where a dispatch was made is passed along on every dispatch, so it is
/// kept to what fits the registers. Any thread may read it: a literal is never written and never freed.
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
