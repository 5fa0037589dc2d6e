extension PartPath {
  /// The path to one row of the collection that another path leads to.
  @inlinable
  static func row<Rows: RowCollection & SendableMetatype>(
    _ id: Rows.RowID, of rows: PartPath<Rows>
  ) -> PartPath where Value == Rows.Row?, Rows.RowID: Sendable {
    let bytes = rows.offset.map { $0..<($0 + MemoryLayout<Rows>.size) }
    let way = rows.way.appending(id, in: Rows.self, at: bytes)
    if let offset = rows.offset {
      // The collection is not copied out of the state.
      return PartPath(way: way) { state in
        state.advanced(by: offset).edit(Rows.self) { $0.row(id: id) }
      }
    }
    return PartPath(way: way) { rows.read($0).row(id: id) }
  }
}

extension PartPath {
  /// The path to one case of an enum.
  func matching<Child>(_ prism: Prism<Value, Child>) -> PartPath<Child?> {
    let path = self
    return PartPath<Child?>(way: way.appending(.matching(prism.id))) {
      prism.extract(path.read($0))
    }
  }
}
