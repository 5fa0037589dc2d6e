/// The text of the files that hold the initialisers of effects: each kind of trigger, in each form of what the code
/// returns.
///
/// The order of the forms for the compiler is decided by where they stand: in `Effect`, or in an extension of one of the
/// protocols that it conforms to. The head of `EffectOutput.swift` has the rules.
enum EffectFormsText {
  // MARK: Forms

  /// Where a form stands; the compiler takes those that come first here before the others.
  enum Rank: String, CaseIterable {
    case first = "Effect"
    case second = "SecondEffectForms"
    case third = "ThirdEffectForms"
    case fourth = "FourthEffectForms"
    case last = "LastEffectForms"
  }

  /// One form of what the code of an effect returns.
  struct Form {
    let rank: Rank
    /// Stands after "An effect of each action of a type" in the documentation; nil for the first.
    let says: String?
    var generics = ""
    /// What the code returns.
    var output = "Output"
    var condition = ""
    var isRefused = false
    var isMixed = false
  }

  static let forms = [
    Form(rank: .first, says: nil, generics: "Output: Action", output: "Output?"),
    Form(rank: .first, says: "ends with a dispatch", generics: "Output: EffectEnding"),
    Form(
      rank: .first, says: "returns an asynchronous sequence of actions",
      generics: "Output: AsyncSequence & Sendable", condition: "Output.Element: Action"),
    Form(rank: .second, says: "returns nothing", output: "Void"),
    Form(
      rank: .second, says: "returns an asynchronous sequence of actions of different types",
      generics: "Output: AsyncSequence & Sendable", condition: "Output.Element == any Action"),
    Form(
      rank: .third, says: "returns actions of different types, or nil", output: "(any Action)?"),
    Form(
      rank: .fourth, says: "returns an array of actions of different types, or nil",
      output: "[any Action]?"),
    Form(
      rank: .last, says: "does not compile, because it returns what is no action",
      generics: "Output, Refused: NotAnAction<Output> & Sendable", output: "Output?",
      isRefused: true),
    Form(
      rank: .last, says: "does not compile, because it returns other values than actions, too",
      output: "Any?", isMixed: true),
  ]

  // MARK: Kinds

  /// One kind of trigger.
  struct Kind {
    /// Its documentation: the first line without the full stop, and the rest.
    let title: String
    let text: String
    /// The beginning of the declaration, up to the generic parameters.
    let name: String
    let generics: String
    /// The parameters before `run`, up to the call site.
    let parameters: [String]
    let input: String
    var condition = ""
    /// The arguments of the initialiser that the forms share.
    let arguments: [String]
    var isInlinable = false
    /// Whether it is a method of an effect.
    var isMethod = false
  }

  private static let shared = [
    "when condition: Condition<INPUT>? = nil", "catch handler: ErrorHandler? = nil",
  ]

  private static let parameters = """
    ///   - condition: Decides, on the state after the commit and with the one before it at hand, whether the
    ///     trigger counts; called in commit order. While the effect is installed, the commits that might trigger
    ///     it copy what they touch.
    ///   - handler: Handles what `run` throws; without it the store's `onEffectError:` does.
    ///   - fileID: Where the effect is written, for its name.
    ///   - line: Where the effect is written, for its name.
    ///   - run: The work.
    """

  private static let returned = """
    /// The closure returns what that of `Effect(on:)` does, and the parameters of one name mean the same in all forms.
    """

  static let actions = [
    Kind(
      title: "An effect of each action of a type",
      text: """
        /// ```swift
        /// Effect<AppState>(on: SearchAction.self, .latest) { action, context in
        ///   let found = try await api.search(action.query)
        ///   context.dispatch(ResultsAction.found(found))
        /// }
        /// Effect<AppState>(on: SearchAction.self, .latest) { action, _ in
        ///   ResultsAction.found(try await api.search(action.query))
        /// }
        /// Effect<AppState>(on: Connect.self, .latest) { action, _ in
        ///   socket.messages(of: action.room).map(ChatAction.received)
        /// }
        /// Effect<AppState>(on: Submit.self) { action, context in
        ///   guard context.state.form.isValid else { return nil }
        ///   return try await api.submit(action.form) ? Accepted() : Rejected()
        /// }
        /// ```
        ///
        /// The closure returns nothing, or actions to dispatch as part of the effect: one action, an optional one, an
        /// array (of different types, too), an `ActionList`, an `AsyncActions`, or an asynchronous sequence of actions.
        /// The effect runs until a sequence has ended; an error of the sequence is an error of the effect. What is no
        /// action does not compile. A last call of `context.dispatch` needs no `_ =`.
        ///
        /// - Parameters:
        ///   - type: The actions that trigger it, by their exact type.
        ///   - policy: What becomes of an action that comes while the effect is running.
        ///   - key: What the policy counts by, and the time of `debounced` and `throttled` too: without it, all
        ///     actions count together. Where `on(_:per:)` adds types, the actions of those without a key count
        ///     together, and with none of the keys.
        \(parameters)
        """,
      name: "public init", generics: "Trigger: Action",
      parameters: [
        "on type: Trigger.Type", "_ policy: EffectPolicy = .concurrent",
        "per key: Key<Trigger>? = nil",
      ] + shared,
      input: "Trigger",
      arguments: ["on: type", "policy", "per: key", "when: condition", "catch: handler"],
      isInlinable: true),
    Kind(
      title:
        "An effect of the actions in which `matching` finds a value, such as one case of an enum",
      text: """
        /// ```swift
        /// Effect<AppState>(
        ///   on: SearchAction.self, matching: { if case .query(let text) = $0 { text } else { nil } }, .latest
        /// ) { text, context in … }
        /// ```
        ///
        /// An action without such a value triggers nothing: under `.latest` it cancels nothing, and it is not
        /// counted by `.first`.
        ///
        \(returned)
        """,
      name: "public init", generics: "Trigger: Action, Value: Sendable",
      parameters: [
        "on type: Trigger.Type", "matching: @escaping @Sendable (_ action: Trigger) -> Value?",
        "_ policy: EffectPolicy = .concurrent", "per key: Key<Value>? = nil",
      ] + shared,
      input: "Value",
      arguments: [
        "on: type", "matching: matching", "policy", "per: key", "when: condition", "catch: handler",
      ]),
    Kind(
      title: "An effect of every action, whatever its type",
      text: """
        /// ```swift
        /// Effect<AppState>(ofEveryAction: .serial) { action, _ in await analytics.log(action) }
        /// ```
        ///
        /// Every dispatch pays for it. Where the types are few, `on(_:)` adds them to one effect.
        ///
        \(returned)
        """,
      name: "public init", generics: "Form: NotAnAction<Void>",
      parameters: ["ofEveryAction policy: EffectPolicy"] + shared + ["form: Form? = nil"],
      input: "any Action",
      arguments: ["ofEveryAction: policy", "when: condition", "catch: handler"]),
  ]

  private static let changed =
    ["_ policy: EffectPolicy = .concurrent", "including triggers: EffectTriggers = []"] + shared

  private static func change(of part: String) -> [String] {
    ["changesOf: \(part)", "policy", "triggers", "when: condition", "catch: handler"]
  }

  static let values = [
    Kind(
      title: "An effect of each change of a value in the state",
      text: """
        /// A commit triggers it when a reducer ran that owns some of the property, and the value differs from
        /// the one before: a value whose bytes are equal does not differ, even if it is NaN. Replacing the state
        /// does not trigger it.
        ///
        /// ```swift
        /// Effect<AppState>(whenChanged: \\.query, .latest) { query, context in
        ///   context.dispatch(ResultsAction.found(try await api.search(query)))
        /// }
        /// ```
        ///
        \(returned)
        ///
        /// - Parameters:
        ///   - keyPath: The value, stored or computed. A computed one is read after every handled commit.
        ///   - policy: What becomes of a change that comes while the effect is running.
        ///   - triggers: When it runs beside changes: when it is installed, when the state is replaced.
        \(parameters)
        """,
      name: "public init", generics: "Value: Equatable & Sendable",
      parameters: ["whenChanged keyPath: any KeyPath<State, Value> & Sendable"] + changed,
      input: "Value", arguments: change(of: "PartPath(keyPath, for: .effect)")),
    Kind(
      title: "An effect of each change of what a function makes of the state",
      text: """
        /// ```swift
        /// Effect<AppState>(whenChanged: { $0.todos.count { !$0.isDone } }, .latest) { open, context in … }
        /// ```
        ///
        /// The function is called after every handled commit: what it reads cannot be seen.
        ///
        \(returned)
        """,
      name: "public init", generics: "Value: Equatable & Sendable",
      parameters: ["whenChanged value: @escaping @Sendable (_ state: State) -> Value"] + changed,
      input: "Value",
      arguments: change(of: "PartPath(way: .unnamed) { value($0.read(State.self)) }")),
  ]

  static let others = [
    Kind(
      title:
        "This effect, which is also triggered by actions of another type, under the same policy",
      text: """
        /// ```swift
        /// Effect<AppState>(on: Refresh.self, .latest) { _, context in … }
        ///   .on(Open.self) { open, context in … }      // either cancels a run of the other
        /// ```
        ///
        /// A policy that counts per key does so for the types with a key: equal keys count together, whatever
        /// their types. The actions of the types without a key count together, and with none of the keys.
        ///
        /// Add the types before the effect is lifted or tagged.
        ///
        \(returned)
        """,
      name: "public func on", generics: "Trigger: Action",
      parameters: [
        "_ type: Trigger.Type", "per key: Key<Trigger>? = nil",
        "when condition: Condition<Trigger>? = nil",
      ],
      input: "Trigger", arguments: ["type", "per: key", "when: condition"], isMethod: true),
    Kind(
      title: "An effect of each change of a derived value, or of what a lens focuses on",
      text: """
        /// A commit triggers it when it touched an input, and the value differs from the one before. Replacing
        /// the state does not. A derived value is computed for each such commit, once for all callers that ask the
        /// store for it; in children, once for each child.
        ///
        /// ```swift
        /// Effect<App>(whenChanged: Todos.visible, .latest) { todos, context in
        ///   try await index.update(with: todos)
        /// }
        /// ```
        ///
        \(returned)
        """,
      name: "public init", generics: "Value: Equatable & Sendable",
      parameters: ["whenChanged source: some LensOrDerived<State, Value>"] + changed,
      input: "Value", arguments: change(of: "source.derivedSource")),
    Kind(
      title:
        "An effect of each change of one row of a collection, or nil while the row is not there",
      text: """
        /// ```swift
        /// Effect<App>(whenChanged: \\.rows, id: 7, .latest) { row, context in … }
        /// ```
        ///
        /// Actions for other rows do not concern it. Replacing the state, by undo too, does not trigger it, unless
        /// it is `including: .replacement`.
        ///
        /// The collection is `Entities`, an array of `Identifiable` elements, or a dictionary, whose keys are the ids.
        ///
        \(returned)
        """,
      name: "public init", generics: "Rows: RowCollection & SendableMetatype",
      parameters: [
        "whenChanged keyPath: any KeyPath<State, Rows> & Sendable", "id: Rows.RowID",
      ] + changed,
      input: "Rows.Row?", condition: "Rows.RowID: Sendable, Rows.Row: Equatable & Sendable",
      arguments: change(of: ".row(id, of: PartPath(keyPath, for: .effect))")),
  ]

  // MARK: Text

  /// The files: name and text.
  static let files = [
    ("EffectForms+Actions.swift", text(of: actions)),
    ("EffectForms+Values.swift", text(of: values)),
    ("EffectForms+Others.swift", text(of: others)),
  ]

  private static func text(of kinds: [Kind]) -> String {
    let ranks = Rank.allCases.map { rank in
      let declarations = kinds.flatMap { kind in
        forms.filter { $0.rank == rank }.map { declaration(kind, $0) }
      }
      return "// MARK: - \(rank.rawValue)\n\nextension \(rank.rawValue) {\n"
        + declarations.joined(separator: "\n") + "}\n"
    }
    return """
      // Generated by `EffectFormsText` of the tests, which fail where this file differs: change it there.

      \(ranks.joined(separator: "\n"))
      """
  }

  private static func declaration(_ kind: Kind, _ form: Form) -> String {
    var lines: [String] = []
    if let says = form.says {
      lines.append("/// \(kind.title): one that \(says).")
    } else {
      lines.append("/// \(kind.title).")
      lines.append("///")
      lines += kind.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    if form.isMixed {
      lines.append(
        "@available(*, unavailable, message: \"not all that the effect returns conforms to 'Action'\")"
      )
    } else if kind.isInlinable && !form.isRefused {
      lines.append("@inlinable")
    }
    // In a protocol's extension, what belongs to `Effect` is written out.
    let effect = form.rank == .first ? "" : "Effect<State>."
    let generics = [kind.generics, form.generics].filter { !$0.isEmpty }.joined(separator: ", ")
    let opening = "\(kind.name)\(generics.isEmpty ? "" : "<\(generics)>")("
    lines.append(opening.count > 98 ? "\(kind.name)<\n    \(generics)\n  >(" : opening)
    let parameters =
      kind.parameters.map {
        $0.replacing("INPUT", with: kind.input)
          .replacing("Condition<", with: "\(effect)Condition<")
          .replacing("Key<", with: "\(effect)Key<")
          .replacing("ErrorHandler", with: "\(effect)ErrorHandler")
      } + ["fileID: StaticString = #fileID", "line: UInt = #line"]
      + (form.isRefused ? ["refused: Refused? = nil"] : [])
      + ["_ run: @escaping \(effect)Body<\(kind.input), \(form.output)>"]
    lines += filled("  ", parameters)
    let conditions = [kind.condition, form.condition].filter { !$0.isEmpty }
    lines.append(
      ")\(kind.isMethod ? " -> Effect<State>" : "")"
        + "\(conditions.isEmpty ? "" : " where \(conditions.joined(separator: ", "))") {")
    if form.isRefused || form.isMixed {
      lines.append("  refuseOutput(\(form.isRefused ? "Output" : "Any?").self, fileID, line)")
    } else {
      let arguments = kind.arguments + ["Effect<State>.work(at: .effect(fileID, line), run)"]
      if kind.isMethod || form.rank == .first {
        lines.append("  \(kind.isMethod ? "asEffect.adding" : "self.init")(")
        lines += filled("    ", arguments)
      } else {
        lines += ["  self.init(", "    Effect<State>("] + filled("      ", arguments)
        lines.append(lines.removeLast() + ")")
      }
      lines.append(lines.removeLast() + ")")
    }
    lines.append("}")
    return lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }

  /// The items as a list, in lines of up to 98 columns.
  private static func filled(_ indentation: String, _ items: [String]) -> [String] {
    var (lines, line) = ([String](), indentation + items[0])
    for item in items.dropFirst() {
      // A closing parenthesis or a comma follows.
      if line.count + item.count + 4 > 98 {
        lines.append(line + ",")
        line = indentation + item
      } else {
        line += ", " + item
      }
    }
    return lines + [line]
  }
}
