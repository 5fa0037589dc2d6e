/// The greatest depth of composed optics: each level takes some of the stack, both when the part is reached
/// and when the optic is released.
enum CompositionDepth {
  enum Optic: Int, Sendable {
    case lens = 32
    case prism = 100
  }

  /// Returns the depth, and traps when it is too great.
  static func proved(_ depth: Int, _ optic: Optic) -> Int {
    if depth > optic.rawValue {
      switch optic {
      case .lens:
        fatalError(
          """
          Lensed: more than \(optic.rawValue) lenses without a byte offset were appended to each other. Make \
          one of them with Lens(name:get:modify:), which goes the whole way.
          """)
      case .prism:
        fatalError(
          """
          Lensed: more than \(optic.rawValue) prisms were appended to each other. Make one of them with \
          Prism(embed:extract:modify:), which goes the whole way.
          """)
      }
    }
    return depth
  }
}
