extension DefaultStringInterpolation {
  /// A name, a type or a value between backticks; as it is where it has some, as raw identifiers do.
  package mutating func appendInterpolation<Value>(code value: Value) {
    let text = "\(value)"
    appendLiteral(text.contains("`") ? text : "`\(text)`")
  }

  /// An id, as a person would write it: what is in an optional, without the words around it; one with something
  /// `NotLogged` in it by the name of its type.
  @usableFromInline
  package mutating func appendInterpolation<ID>(id: ID) {
    let mirror = Mirror(reflecting: id)
    guard mirror.displayStyle == .optional, let inner = mirror.children.first?.value else {
      return appendLiteral(Redaction.hides(id) ? "\(type(of: id))" : "\(id)")
    }
    appendInterpolation(id: inner)
  }
}
