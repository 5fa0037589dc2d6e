// What becomes of a row whose id changes. Each strand is decided in one place, which is named here:
//
// 1. *The collection*: the row keeps its place, and is found by the new id. Another row with that id is removed
//    (`rekey`). In `SortedEntities` it keeps its label, and is placed by its key again.
// 2. *A difference* has the former id as removed and the new one as added (`EntitiesDifference`). A derived value that
//    follows rows takes the same two (`RowChanges`).
// 3. *Row observers*: the run compares the id before and after (`Reducer.keeping`), and says that the row has another
//    id (`RunOutcome.changedID`). Which other row was touched is not known, so all rows of the collection count as
//    touched (`RowTable.touch`).
// 4. *Readers of `changes`* of one row: the same, for what they are told later (`TouchedParts.areOfOtherRows`).
// 5. *Effects in the child*: they end in the commit, as with a row that has gone (`EffectsPerChild.stopGone`). All
//    children are looked at, not those alone that the action named (`namedChildren`, in the same file).
// 6. *Ties and scopes*: the row of the former id has gone (`Tie`, `ScopedChild`).

extension Entities {
  /// Registers an element by its own id, after it might have changed; another element with that id is removed.
  @inlinable
  mutating func rekey(_ place: RowPlace<Element>, from former: Element.ID) {
    let id = place.element.id
    if id != former { rekey(place.label, from: former, to: id) }
  }

  @usableFromInline
  mutating func rekey(_ label: UInt64, from former: Element.ID, to id: Element.ID) {
    index.remove(HashEntry(hash: Self.hash(former), label: label))
    if let other = self.label(of: id), other != label, let position = rows.position(of: other) {
      extract(at: position)
    }
    index.insert(HashEntry(hash: Self.hash(id), label: label))
  }
}
