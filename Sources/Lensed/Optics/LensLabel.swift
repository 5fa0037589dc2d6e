/// One step of a lens, by the name it goes by.
@usableFromInline
enum LensLabel: Sendable {
  case named(String)
  case keyPath(any AnyKeyPath & Sendable)
  case unnamed

  /// The property names along `labels`, or nil where one of them cannot be seen.
  static func path(_ labels: [LensLabel], from root: Any.Type) -> [String]? {
    var path: [String] = []
    for label in labels {
      switch label {
      case .unnamed:
        return nil
      case .named(let name):
        path += name.split(separator: ".").map(String.init)
      case .keyPath(let keyPath):
        guard let names = names(in: keyPath) else { return nil }
        path += names
      }
    }
    return path
  }

  /// The names that the description of a key path of stored properties shows.
  ///
  /// The description is `\Root.first.second`, with `<computed …>`, `[…]`, `?` or `!` where a
  /// component is anything else. It serves diagnostics and coverage, never identity.
  static func names(in keyPath: AnyKeyPath) -> [String]? {
    let root = "\\\(type(of: keyPath).rootType)"
    let description = "\(keyPath)"
    guard description.hasPrefix(root) else { return nil }
    let tail = description.dropFirst(root.count)
    if tail == ".self" || tail.isEmpty { return [] }
    guard !tail.contains(where: { "<>[]?! ".contains($0) }) else { return nil }
    return tail.split(separator: ".").map(String.init)
  }
}
