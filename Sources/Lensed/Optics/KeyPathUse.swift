/// What a key path is given for that is read, or written, whenever the state has changed: there it must not trap.
///
/// A key path with `!`, or with an index of an array, would, under the lock of the store. So it is refused when it is
/// given. A lens made of it is not: `Lens(\.squares[3])` says that the part is always there.
@usableFromInline
enum KeyPathUse: String, Sendable {
  case mutator, lift, scope, stream, effect, input, history

  /// Traps if reading a key path traps in some states, as far as can be seen.
  @usableFromInline
  func check(_ keyPath: AnyKeyPath) {
    guard let step = TrappingStep(in: keyPath) else { return }
    let when =
      switch step {
      case .forcedOptional: "the optional in it is nil"
      case .index: "the array in it is too short"
      }
    fatalError("Lensed: the \(rawValue) of \(keyPath) would trap whenever \(when). \(remedy(step))")
  }

  private func remedy(_ step: TrappingStep) -> String {
    switch (self, step) {
    case (.mutator, .forcedOptional):
      "Write a mutator of the optional itself, or of the part alone, and make it optional()."
    case (.lift, .forcedOptional):
      "Make what is lifted optional(), and lift that to the optional itself."
    case (.scope, .forcedOptional):
      """
      Write scope(…) of the optional itself: it is nil when the part is, and dispatches in the terms of the part. \
      What follows is a scope of that one.
      """
    case (.stream, .forcedOptional), (.effect, .forcedOptional), (.input, .forcedOptional):
      "Write `?` in place of `!`: the value is nil whenever the optional is."
    case (.history, .forcedOptional):
      "Record the optional itself."
    case (.mutator, .index), (.lift, .index):
      "Make it identified() or offset(), for the array itself. \(lens)"
    case (.scope, .index):
      "Write scope(_:id:) of the array itself: it is nil when the element is not there. \(lens)"
    case (.stream, .index), (.effect, .index), (.input, .index):
      "Write the array itself with `id:`: the value is nil whenever the element is not there. \(lens)"
    case (.history, .index):
      "Record the array itself. \(lens)"
    }
  }

  private var lens: String { "If it is never shorter, give a lens: `Lens(…)`." }
}

extension Lens {
  /// The lens of a key path that must not trap.
  @inlinable
  init(_ keyPath: any WritableKeyPath<Root, Value> & Sendable, for use: KeyPathUse) {
    self.init(keyPath)
    if case .closures = location { use.check(keyPath) }
  }
}

extension PartPath {
  /// The part at a key path that must not trap.
  @inlinable
  init<Root>(_ keyPath: any KeyPath<Root, Value> & Sendable, for use: KeyPathUse) {
    self.init(keyPath)
    if offset == nil { use.check(keyPath) }
  }
}

// MARK: Its steps

extension AnyKeyPath {
  /// What its description, `\Root.first.second?`, says behind the root; nil where it is of no known form.
  var shownTail: Substring? {
    let (description, root) = ("\(self)", "\\\(type(of: self).rootType)")
    return description.hasPrefix(root) ? description.dropFirst(root.count) : nil
  }

  /// The steps that its description shows: names of stored properties, `<…>`, `?` and `!`; nil where it has no known
  /// form.
  ///
  /// It says `<computed …>` both for a computed property and for a subscript, with the address of the function.
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
  /// An index or a range of an array that is too short; other subscripts cannot be told from computed properties.
  case index

  /// The first of them in a key path, if there is one; describing the key path takes some microseconds.
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

  /// Whether a step is the subscript of an array by an index, or by a range.
  static func readsByIndex(_ step: Substring) -> Bool { indexReaders.contains(reader(of: step)) }

  /// Whether a step is the subscript of a dictionary by a key: nil for a missing one.
  static func readsByKey(_ step: Substring) -> Bool { keyReader == reader(of: step) }

  /// The functions that read elements of an array: `<computed 0x00007f9dbfee8d80`; all arrays share that of `0...1`.
  private static let indexReaders: Set<Substring> = {
    let paths: [AnyKeyPath] = [
      \[Int].[0], \ArraySlice<Int>.[0], \ContiguousArray<Int>.[0],
      \[Int].[0..<1], \ArraySlice<Int>.[0..<1], \ContiguousArray<Int>.[0..<1], \[Int].[0...1],
    ]
    return Set(paths.compactMap { $0.shownSteps?.last.map(reader) })
  }()

  /// The function that reads a value of a dictionary; nil where it is shown in another form than those above.
  private static let keyReader: Substring? = {
    let path: AnyKeyPath = \[Int: Int].[0]
    return path.shownSteps?.last.map(reader).flatMap { $0.hasPrefix("<computed 0x") ? $0 : nil }
  }()

  /// What a computed step says of its function, without the type of the value.
  private static func reader(of step: Substring) -> Substring { step.prefix { $0 != "(" } }
}

// MARK: Key paths that only read

/// What a form would do that is not available, because its key path only reads.
///
/// Such forms are for the compiler alone: a misspelled property makes a key path that only reads, and without one the
/// compiler would report another form, or a conversion to a `WritableKeyPath`, and not the property.
func refuseReadOnly(_ keyPath: AnyKeyPath) -> Never {
  fatalError("Lensed: \(keyPath) only reads, and was to be written; this is a fault of Lensed.")
}
