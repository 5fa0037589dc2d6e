extension AnyKeyPath {
  /// What its description, `\Root.first.second?`, says behind the root; nil where it is of no known form.
  var shownTail: Substring? {
    let (description, root) = ("\(self)", "\\\(type(of: self).rootType)")
    return description.hasPrefix(root) ? description.dropFirst(root.count) : nil
  }

  /// The steps that its description shows: names of stored properties, `<…>`, `?` and `!`.
  ///
  /// Only the description shows them. It says `<computed …>` both for a computed property and for a subscript, with
  /// the address of the function that reads it. Nil where it is of no known form.
  var shownSteps: [Substring]? {
    guard let tail = shownTail else { return nil }
    var steps: [Substring] = []
    var (start, depth) = (tail.startIndex, 0)
    var last: Character = " "
    func endStep(_ index: Substring.Index) {
      if start < index { steps.append(tail[start..<index]) }
      start = index
    }
    for index in tail.indices {
      let character = tail[index]
      // The `>` in the arrow of a function type is no closing bracket.
      if character == ">" && last != "-" { depth -= 1 }
      if depth == 0 && ".?!".contains(character) {
        endStep(index)
        if character == "." {
          start = tail.index(after: index)
        } else {
          endStep(tail.index(after: index))
        }
      }
      if character == "<" { depth += 1 }
      last = character
    }
    endStep(tail.endIndex)
    return steps
  }
}

/// A step of a key path that traps in some states, as far as its description shows it.
enum TrappingStep: Sendable {
  /// `!`, where the optional is nil.
  case forcedOptional
  /// A subscript of an array by an index, where the array is too short.
  ///
  /// A subscript of any other type cannot be told from a computed property.
  case index

  /// The first of them in a key path, if there is one.
  ///
  /// - Complexity: Some microseconds: the key path is described.
  init?(in keyPath: AnyKeyPath) {
    for step in keyPath.shownSteps ?? [] {
      if step == "!" {
        self = .forcedOptional
        return
      }
      if Self.readsByIndex(step) {
        self = .index
        return
      }
    }
    return nil
  }

  /// Whether a step is the subscript of an array by an index.
  static func readsByIndex(_ step: Substring) -> Bool { indexReaders.contains(reader(of: step)) }

  /// Whether a step is the subscript of a dictionary by a key: nil for a missing one.
  static func readsByKey(_ step: Substring) -> Bool { keyReader == reader(of: step) }

  /// The functions that read an element of an array: `<computed 0x00007f9dbfee8d80`.
  private static let indexReaders: Set<Substring> = {
    let paths: [AnyKeyPath] = [\[Int].[0], \ArraySlice<Int>.[0], \ContiguousArray<Int>.[0]]
    return Set(paths.compactMap { $0.shownSteps?.last.map(reader) })
  }()

  /// The function that reads a value of a dictionary; nil where it is shown in another form than those above.
  private static let keyReader: Substring? = {
    let path: AnyKeyPath = \[Int: Int].[0]
    return path.shownSteps?.last.map(reader).flatMap { $0.hasPrefix("<computed 0x") ? $0 : nil }
  }()

  /// What a computed step says of its function, without the type of the value.
  private static func reader(of step: Substring) -> Substring {
    step.prefix { $0 != "(" }
  }
}
