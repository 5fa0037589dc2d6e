#if canImport(Testing)
  public import Lensed
  public import Testing

  /// Expects a lens to keep the laws of lenses, for each of the samples.
  ///
  /// ```swift
  /// expectLawful(Person.nameLens, over: [Person(), Person(name: "Ada")], writing: ["", "Grace"])
  /// ```
  ///
  /// - What was written is what is read.
  /// - Writing what was read changes nothing.
  /// - Of two writes the last one counts.
  /// - Editing in place does what reading and writing does.
  ///
  /// Each law that does not hold is one issue, with its first counter-example. Values are compared by `==` where
  /// they are `Equatable`, and else by reflection.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken law traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - lens: The lens.
  ///   - samples: The roots to check it with.
  ///   - values: What to write, beside what the lens reads from the samples.
  ///   - sourceLocation: Where the issues are reported.
  /// - Complexity: O(*n* · *m*²) in the number of samples and that of values.
  public func expectLawful<Root, Value>(
    _ lens: Lens<Root, Value>, over samples: [Root], writing values: [Value] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var check = LawCheck("The lens \(code: lens)", at: sourceLocation)
    check.requireSamples(samples.isEmpty)
    let values = samples.map { lens.get($0) } + values
    for root in samples {
      check.require(
        "writing what was read changes nothing", of: ["root": root], expected: root,
        is: lens.set(root, lens.get(root)))
      for value in values {
        let written = lens.set(root, value)
        check.require(
          "what was written is what is read", of: ["root": root, "written": value],
          expected: value, is: lens.get(written))
        var edited = root
        lens.modify(&edited) { $0 = value }
        check.require(
          "editing in place does what reading and writing does",
          of: ["root": root, "written": value], expected: written, is: edited)
        for next in values {
          check.require(
            "of two writes the last one counts",
            of: ["root": root, "written": value, "then written": next],
            expected: lens.set(root, next), is: lens.set(written, next))
        }
      }
    }
  }

  /// Expects a key path to keep the laws of lenses, for each of the samples.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken law traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - keyPath: The key path, as a mutator takes it.
  ///   - samples: The roots to check it with.
  ///   - values: What to write, beside what the key path reads from the samples.
  ///   - sourceLocation: Where the issues are reported.
  public func expectLawful<Root, Value>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, over samples: [Root],
    writing values: [Value] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectLawful(
      Lens(keyPath), over: samples, writing: values, sourceLocation: sourceLocation)
  }

  /// Expects a prism to keep the laws of prisms, for each of the samples.
  ///
  /// ```swift
  /// expectLawful(loaded, over: [.loading, .loaded(Product())], embedding: [Product(name: "a")])
  /// ```
  ///
  /// - What was embedded is what is extracted.
  /// - Embedding what was extracted gives the root again.
  /// - Editing reaches what extracting finds, and leaves every other case alone.
  ///
  /// At least one of the values must be there, given or extracted from a sample.
  ///
  /// Call it in a test of Swift Testing. Elsewhere, under XCTest or in a detached task, a broken law traps with its
  /// message.
  ///
  /// - Parameters:
  ///   - prism: The prism.
  ///   - samples: The roots to check it with.
  ///   - values: What to embed, beside what the prism extracts from the samples.
  ///   - sourceLocation: Where the issues are reported.
  public func expectLawful<Root, Value>(
    _ prism: Prism<Root, Value>, over samples: [Root], embedding values: [Value] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var check = LawCheck("The prism from \(Root.self) to \(Value.self)", at: sourceLocation)
    let values = samples.compactMap { prism.extract($0) } + values
    check.requireSamples(samples.isEmpty && values.isEmpty)
    if values.isEmpty && !samples.isEmpty { check.reportNoMatch() }
    for value in values {
      check.require(
        "what was embedded is what is extracted", of: ["embedded": value],
        expected: Optional.some(value) as Any, is: prism.extract(prism.embed(value)) as Any)
    }
    for root in samples {
      guard let found = prism.extract(root) else {
        for value in values {
          var edited = root
          prism.modify(&edited) { $0 = value }
          check.require(
            "editing leaves a root alone from which nothing is extracted",
            of: ["root": root, "written": value], expected: root, is: edited)
        }
        continue
      }
      check.require(
        "embedding what was extracted gives the root again", of: ["root": root], expected: root,
        is: prism.embed(found))
      for value in values {
        var edited = root
        prism.modify(&edited) { $0 = value }
        check.require(
          "editing does what embedding does", of: ["root": root, "written": value],
          expected: prism.embed(value), is: edited)
      }
    }
  }
#endif
