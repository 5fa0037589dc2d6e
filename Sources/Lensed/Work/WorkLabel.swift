/// The name of a work in error messages.
enum WorkLabel: Sendable, CustomStringConvertible {
  case dispatch(any Action.Type, CallSite)
  case sequence(CallSite)
  /// What no action made, as a noun.
  case commit(StaticString)
  case effect(String)
  /// Of a feature, whose name is composed when it is asked for.
  case effectOfFeature(String, of: @Sendable () -> String)
  /// Of an asynchronous mutator, whose property is composed when it is asked for.
  case event(any Action.Type, of: @Sendable () -> String)
  /// An attempt of a run, which shares its task.
  case attempt(of: String)
  /// What tells how a run of an effect ended.
  case ending(of: String)
  /// The wait of a caller until a store has settled.
  case settling(CallSite)

  /// The name of the effect, where it is one.
  var effect: String? {
    switch self {
    case .effect(let name), .attempt(let name), .ending(let name): name
    case .effectOfFeature(let name, let feature): "\(name) of `\(feature())`"
    case .dispatch, .sequence, .commit, .event, .settling: nil
    }
  }

  var description: String {
    switch self {
    case .dispatch(let type, let site): "the dispatch of `\(type)` at \(site)"
    case .commit(let noun): "\(noun)"
    case .sequence(let site): "the sequence dispatched at \(site)"
    case .effect(let name), .attempt(let name): "the effect \(name)"
    case .ending(let name): "the end of the effect \(name)"
    case .effectOfFeature(let name, let feature): "the effect \(name) of `\(feature())`"
    case .event(let type, let property): "the event `\(type)` of `\(property())`"
    case .settling(let site): "the wait at \(site) until the store has settled"
    }
  }
}
