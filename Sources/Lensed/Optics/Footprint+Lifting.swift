extension Footprint {
  /// The footprint of the same part in a larger root, of which a lens focuses on the root of this one.
  func lifted<Root, Value>(_ lens: Lens<Root, Value>) -> Footprint {
    var (moved, start): (Range<Int>?, Int?) = (nil, nil)
    if case .stored(let offset) = lens.location {
      start = offset
      moved = bytes.map { ($0.lowerBound + offset)..<($0.upperBound + offset) }
    }
    switch names {
    case .labels(let labels, let valueType):
      return Footprint(
        labels: InlineList(lens.labels).appending(labels, at: start), bytes: moved, of: valueType)
    case .parts(let parts):
      return Footprint(ofAll: parts.map { $0.lifted(lens) })
    case .known(let path, let typeName):
      let outer = LensLabel.path(lens.labels)
      return Footprint(
        path: outer.flatMap { outer in path.map { outer + $0 } }, bytes: moved, typeName: typeName)
    }
  }
}
