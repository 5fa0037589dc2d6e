extension ChildClaim {
  /// Whether a child is of one claim at most.
  func isApart(from other: ChildClaim) -> Bool {
    guard let prism, let further = other.prism else { return false }
    return prism != further
  }

  /// The same children in a larger state.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> ChildClaim {
    let forEach = forEach
    return ChildClaim(
      prism: prism, owners: owners, name: name,
      forEach: { root, body in
        var isThrough = true
        lens.lendReadOnly(root) { isThrough = forEach($0, body) }
        return isThrough
      }, copy: copy)
  }
}

extension Owner {
  /// This owner for a larger state, of which the feature's state is one part.
  func lifted<Root, Value>(
    _ lens: Lens<Root, Value>, cases: ([ReducerCase]) -> [ReducerCase]
  ) -> Owner {
    Owner(
      footprint: footprint.lifted(lens), cases: cases(self.cases), isConstant: isConstant,
      site: site, children: children?.lifted(lens), identities: identities)
  }
}

extension RegistrationError.Fault {
  /// The same fault, of a property of the children that are called `name`.
  func inChildren(of name: String) -> RegistrationError.Fault {
    func inside(_ property: String) -> String {
      property == "\\.self" ? name : "\(name).\(property)"
    }
    return switch self {
    case .twoReducers(let property): .twoReducers(property: inside(property))
    case .overlap(let one, let two): .overlap(property: inside(one), other: inside(two))
    case .noReducer(let property): .noReducer(property: inside(property))
    case .listReducer(let property, let action):
      .listReducer(property: inside(property), action: action)
    case .classReducer(let property, let action):
      .classReducer(property: inside(property), action: action)
    case .unmatchedPrism(let property, let wide, let narrow):
      .unmatchedPrism(property: inside(property), wide: wide, narrow: narrow)
    case .everyActionOverElements(let property):
      .everyActionOverElements(property: inside(property))
    case .twoFeatures(let property): .twoFeatures(property: inside(property))
    case .constantPart(let property): .constantPart(property: inside(property))
    case .constantChildren(let property): .constantChildren(property: inside(property))
    case .doubledIdentity(let property, let id):
      .doubledIdentity(property: inside(property), id: id)
    case .unnamedLens, .indistinctLenses, .listEffect, .classEffect, .unmatchedFeature,
      .doubledFeature, .noOwner, .otherType, .childrenPart, .notGiven:
      self
    }
  }
}
