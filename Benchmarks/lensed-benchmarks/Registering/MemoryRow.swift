/// A registered figure of memory: the resident bytes of one of many objects, or what a row counts by itself.
struct MemoryRow {
  let id: String
  let title: String
  /// The number of objects that are made; their bytes are divided by it.
  let count: Int
  /// The largest number of bytes that passes.
  let atMost: Int
  /// The number of bytes to aim for.
  let aim: Int
  /// Makes the objects, which keep all that is measured.
  let make: (_ count: Int) throws -> [AnyObject]
  /// Makes what is not to be counted; nil counts everything.
  let without: ((_ count: Int) throws -> [AnyObject])?
  /// Counts the figure, where it is another one; nil where bytes cannot be counted.
  var counting: (() async throws -> Double?)?

  /// A figure that is counted otherwise than by objects.
  init(
    _ id: String, _ title: String, atMost: Int, aim: Int,
    counting: @escaping () async throws -> Double?
  ) {
    self.init(id, title, atMost: atMost, aim: aim, make: { _ in [] })
    self.counting = counting
  }

  init(
    _ id: String,
    _ title: String,
    count: Int = 10_000,
    atMost: Int,
    aim: Int,
    without: ((_ count: Int) throws -> [AnyObject])? = nil,
    make: @escaping (_ count: Int) throws -> [AnyObject]
  ) {
    self.id = id
    self.title = title
    self.count = count
    self.atMost = atMost
    self.aim = aim
    self.without = without
    self.make = make
  }
}
