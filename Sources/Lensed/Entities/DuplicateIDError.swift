/// The error of making `Entities` from elements of which two have the same id.
public struct DuplicateIDError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id, as text.
  public let id: String
  /// The type of the elements, as text.
  public let element: String
  /// The position of the second element with that id.
  public let position: Int

  @usableFromInline
  init(id: String, element: String, position: Int) {
    (self.id, self.element, self.position) = (id, element, position)
  }

  /// The error, its place, and the remedy.
  public var description: String {
    """
    Lensed: the element at position \(position) has the id \(id), which an earlier `\(element)` has. \
    Give each element its own id, or pass uniquingIDsWith: to choose between the two.
    """
  }
}
