/// The name of a work in error messages.
enum WorkLabel: Sendable, CustomStringConvertible {
  case dispatch(any Action.Type, CallSite)
  case sequence(CallSite)
  case effect(String)
  /// Of a feature, whose name is composed when it is asked for.
  case effectOfFeature(String, of: @Sendable () -> String)
  case event(any Action.Type, of: String)

  var description: String {
    switch self {
    case .dispatch(let type, let site): "the dispatch of `\(type)` at \(site)"
    case .sequence(let site): "the sequence dispatched at \(site)"
    case .effect(let name): "the effect \(name)"
    case .effectOfFeature(let name, let feature): "the effect \(name) of `\(feature())`"
    case .event(let type, let property): "the event `\(type)` of `\(property)`"
    }
  }
}
