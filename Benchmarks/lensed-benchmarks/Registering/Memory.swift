/// A registered figure of memory: what a store keeps for each of many objects.
struct Memory {
  let id: String
  let title: String
  /// The most bytes that one object may take.
  let atMost: Int
  let count: Int
  /// Prepares so many objects; the closure it returns makes them, and returns what keeps them alive.
  let prepare: (_ count: Int) throws -> () throws -> Any

  init(
    _ id: String, _ title: String, atMost: Int, count: Int = 10_000,
    prepare: @escaping (_ count: Int) throws -> () throws -> Any
  ) {
    self.id = id
    self.title = title
    self.atMost = atMost
    self.count = count
    self.prepare = prepare
  }
}
