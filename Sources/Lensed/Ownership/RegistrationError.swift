/// Why a store cannot be made of its parts, or a part cannot be added to it: all faults at once, each with what it
/// concerns.
///
/// ```swift
/// do {
///   _ = try Store(initialState: AppState()) { counterMutator }
/// } catch {
///   print(error)  // … `user` has no reducer. Add a `Mutator` for it, …
/// }
/// ```
///
/// It prints as sentences that say what to do.
public struct RegistrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One thing that is wrong.
  public enum Fault: Sendable, Hashable {
    /// Two reducers of one property.
    case twoReducers(property: String)
    /// Two lenses that share a part of the state.
    case overlap(property: String, other: String)
    /// A property that no reducer owns, where coverage is complete.
    case noReducer(property: String)
    /// A lens of unknown footprint, where coverage is complete.
    case unnamedLens(valueType: String)
    /// Two lenses of unknown footprint to one type.
    case indistinctLenses(valueType: String)
    /// A reducer of a list of actions.
    case listReducer(property: String, action: String)
    /// An asynchronous reducer of actions of a class.
    case classReducer(property: String, action: String)
    /// An effect of a list, or of a sequence, of actions, or one that is cancelled on one.
    case listEffect(effect: String, action: String)
    /// An effect of actions of a class, or one that is cancelled on them.
    case classEffect(effect: String, action: String)
    /// A reducer that was lifted by a prism to actions that it does not handle.
    case unmatchedPrism(property: String, wide: String, narrow: String)
    /// The elements of a collection reduced by a reducer of every action.
    case everyActionOverElements(property: String)
    /// Two features of the same children, one of children in the other's children, or one given twice.
    case twoFeatures(property: String)
    /// A property that was declared `Constant`, and is claimed by a mutator or a second `Constant`, too.
    case constantPart(property: String)
    /// A feature of the children of a property that was declared `Constant`.
    case constantChildren(property: String)
    /// A feature that was lifted by a prism to actions that nothing in it handles.
    case unmatchedFeature(state: String, wide: String, narrow: String)
    /// A feature of effects alone that is given twice for one part of the state, with one tag or none.
    case doubledFeature(state: String, place: String, effects: String)
    /// A mutator that was to replace another one, of a part that has none.
    case noOwner(property: String)
    /// A mutator that was to replace one of another type.
    case otherType(property: String, owned: String, given: String)
    /// A mutator that was to replace one of a part whose children alone are owned, or that lies in a child.
    case childrenPart(property: String)
    /// A value that a reducer, an effect or a feature asks for by its type, and that nothing gives it; `site` is where
    /// the asker is written.
    case notGiven(type: String, asker: String, site: String)
  }

  /// The faults: those of reducers and of the parts that they own, and then those of what comes with them; each in the
  /// order of the parts.
  public var faults: [Fault] { found.map(\.fault) }
  /// What was asked for, as the first line of the description.
  enum Request: String, Sendable {
    case building = "The store cannot be built of these parts:"
    case registering = "These parts cannot be registered, and the store is as it was:"
    case replacing = "The mutator cannot be replaced, and the store is as it was:"
  }

  /// The same, with the places of the mutators that they are about.
  private let found: [FoundFault]
  private let request: Request

  init(_ found: [FoundFault], _ request: Request = .building) {
    (self.found, self.request) = (found, request)
  }

  /// What was asked for, and the faults as sentences, one a line, each with the places in the source of the mutators
  /// that it is about.
  public var description: String { "\(request.rawValue)\n\(sentences)" }

  private var sentences: String { found.map { "- \($0)" }.joined(separator: "\n") }

  /// Whether two errors have the same faults, whatever was asked for, and wherever their mutators are written.
  public static func == (first: RegistrationError, second: RegistrationError) -> Bool {
    first.faults == second.faults
  }

  /// Ends the process where nothing can throw the error; `occasion` says what shows the faults.
  func trap(_ occasion: String) -> Never { fatalError("Lensed: \(occasion):\n\(sentences)") }
}

/// A fault, and where the mutators are written that it is about.
struct FoundFault: Sendable, CustomStringConvertible {
  let fault: RegistrationError.Fault
  private var sites: [CallSite]

  init(_ fault: RegistrationError.Fault, at sites: [CallSite?] = []) {
    self.fault = fault
    self.sites = sites.compactMap { $0 }
  }

  /// The faults, each once, with all places that are found for it.
  static func merging(_ found: [FoundFault]) -> [FoundFault] {
    var (merged, positions) = ([FoundFault](), [RegistrationError.Fault: Int]())
    for one in found {
      if let position = positions[one.fault] {
        merged[position].sites += one.sites
      } else {
        positions[one.fault] = merged.count
        merged.append(one)
      }
    }
    return merged
  }

  /// The same fault, of a property of the children that are called `name`.
  func inChildren(of name: String) -> FoundFault {
    FoundFault(fault.inChildren(of: name), at: sites)
  }

  var description: String {
    // A mutator that is given twice has one place, and one that overlaps with two others comes twice.
    var places: [String] = []
    for site in sites where !places.contains("\(site)") { places.append("\(site)") }
    if places.isEmpty { return "\(fault)" }
    return "\(fault) See \(places.joined(separator: " and "))."
  }
}

extension RegistrationError.Fault: CustomStringConvertible {
  /// The fault, and the way to repair it.
  public var description: String {
    switch self {
    case .twoReducers(let property):
      """
      \(code: property) has two reducers. Every sub-state has exactly one: join them with \
      `Reducer.combine` or `on(_:_:)`, or remove one.
      """
    case .overlap(let property, let other):
      """
      \(code: property) and \(code: other) overlap, so the same part of the state would have two owners. \
      Give one mutator the larger part, or split it into parts that share nothing.
      """
    case .noReducer(let property):
      """
      \(code: property) has no reducer. Add a `Mutator` for it, write `Constant` if it is constant, \
      or build the store with `coverage: .partial`.
      """
    case .unnamedLens(let type):
      """
      A lens to a value of type \(code: type) does not show which property it owns. Give it that \
      property's name: `Lens(name: "…", …)`.
      """
    case .indistinctLenses(let type):
      """
      Two lenses to values of type \(code: type) show nothing that tells them apart. Give each the name \
      of its property: `Lens(name: "…", …)`.
      """
    case .listReducer(let property, let action):
      """
      A reducer of \(code: property) answers the list \(code: action). Lists are run member by member: \
      reduce the type of the members instead.
      """
    case .classReducer(let property, let action):
      """
      The asynchronous reducer of \(code: property) handles \(code: action), which is a class. Actions are routed by \
      their exact type, and an object of a subclass would never arrive: make the action a struct or an \
      enum.
      """
    case .listEffect(let effect, let action):
      """
      The effect \(effect) is of the list \(code: action), or cancelled on it. Lists are run member by member, \
      so it would never see one: name the type of the members instead.
      """
    case .classEffect(let effect, let action):
      """
      The effect \(effect) is of \(code: action), or cancelled on it, which is a class. Actions are routed by \
      their exact type, and an object of a subclass would never arrive: make the action a struct or an \
      enum.
      """
    case .unmatchedPrism(let property, let wide, let narrow):
      """
      The reducer of \(code: property) was lifted by a prism from \(code: wide) to \(code: narrow), and handles no \
      \(code: narrow): nothing would reach it through the prism. Lift it by a prism to a type that it handles.
      """
    case .twoFeatures(let property):
      """
      Two features own the same children of \(code: property), or one was given twice, or one owns children in the \
      other's children. Put both into one `Feature`, and lift that.
      """
    case .constantPart(let property):
      """
      \(code: property) is `Constant`, and is claimed once more: by a reducer, or by a second `Constant`. Remove one \
      of the two.
      """
    case .constantChildren(let property):
      """
      \(code: property) is `Constant`, and a feature of its children changes them. Remove the `Constant`: the \
      feature alone claims the property.
      """
    case .unmatchedFeature(let state, let wide, let narrow):
      """
      A feature of \(code: state) was lifted by a prism from \(code: wide) to \(code: narrow), and nothing in it is of \
      \(code: narrow): nothing would reach it through the prism. Lift it by a prism to a type that it handles.
      """
    case .doubledFeature(let state, let place, let effects):
      """
      A feature of \(code: state) is given twice\(place.isEmpty ? "" : " for \(code: place)"), so that each of its \
      effects would run twice: \(effects). Give it once; tag it, or lift it elsewhere, where another instance is meant.
      """
    case .noOwner(let property):
      """
      \(code: property) has no mutator of its own that could be replaced. Register one with `register`, or replace \
      that of the larger part that has it.
      """
    case .otherType(let property, let owned, let given):
      """
      The mutator of \(code: property) was to be replaced by one of another type: it owns a value of type \
      \(code: owned), and the new one a value of type \(code: given). Give the new one a lens to the same part.
      """
    case .childrenPart(let property):
      """
      \(code: property) is reduced by a feature of its children, which belongs to each of them and cannot be replaced \
      alone. Unregister it, and register another one.
      """
    case .notGiven(let type, let asker, let site):
      """
      A given \(code: type) is asked for by \(asker), written at \(site), and nothing above gives one. Give it where \
      the feature is lifted, `lifted(\\.part, giving: \\.value)`, or to the feature that runs alone, `giving(value)`; \
      the type has to be exactly this one.
      """
    case .everyActionOverElements(let property):
      """
      The elements of \(code: property) are reduced by a reducer of every action, and nothing says which \
      element an action is for. Reduce one type of action, and dispatch it as an `ElementAction`.
      """
    }
  }
}
