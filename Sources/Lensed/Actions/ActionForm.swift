/// What a type of actions is made of: tags and ids, from the outside in, and the type of the actions inside.
struct ActionForm {
  private enum Layer: Equatable {
    case tag(ObjectIdentifier)
    case element
  }

  private let layers: [Layer]
  private let innermost: ObjectIdentifier
  let ids: [any Any.Type]

  init(of type: any Action.Type) {
    var (layers, ids, inner): ([Layer], [any Any.Type], any Action.Type) = ([], [], type)
    while true {
      if let tagged = inner as? any AnyTagged.Type {
        layers.append(.tag(ObjectIdentifier(tagged.tag)))
        inner = tagged.actionType
      } else if let element = inner as? any AnyElementAction.Type {
        layers.append(.element)
        ids.append(element.elementType)
        inner = element.addressedType
      } else {
        break
      }
    }
    (self.layers, self.ids) = (layers, ids)
    innermost = ObjectIdentifier(inner)
  }

  /// The other form, if it differs from this one in the types of ids alone.
  func differingInIDs(from other: ActionForm) -> ActionForm? {
    guard innermost == other.innermost, layers == other.layers,
      ids.map({ ObjectIdentifier($0) }) != other.ids.map({ ObjectIdentifier($0) })
    else { return nil }
    return other
  }
}
