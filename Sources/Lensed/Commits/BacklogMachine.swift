/// The elements since one moment, each of which every reader is yet to be given, as a pure machine.
///
/// Elements have numbers, from 0. A reader has a place: the number of the element that it is given next. A new
/// reader begins with the oldest element that some reader has yet to be given; the first one begins with 0.
///
/// While no reader is active, at most `limit` elements are kept, and the oldest ones give way. An active reader
/// loses none. The places of the other readers count what they have lost.
struct BacklogMachine<Element> {
  private struct Reader: Sendable {
    var place: Int
    var isActive = false
  }

  /// What a reader is given.
  struct Taken {
    let element: Element
    /// How many elements before this one the reader has lost.
    let dropped: Int
    /// To be released without the lock.
    let trash: [Element]
  }

  private let limit: Int
  private var elements = RingBuffer<Element>()
  /// The number of the oldest element that is kept.
  private var first = 0
  /// Where a new reader begins; less than `first` if elements were lost.
  private var start = 0
  /// The number of the first element since the run began that reads them.
  private var runStart = 0
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0

  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { elements.count }

  /// A machine with the same elements, and no reader.
  var forked: BacklogMachine {
    var copy = self
    copy.readers = [:]
    return copy
  }

  /// Adds an element.
  ///
  /// - Returns: What gave way, to be released without the lock.
  mutating func append(_ element: Element) -> [Element] {
    elements.append(element)
    return trim()
  }

  /// Notes that the run begins: a reader from the run on is given what is added from now on.
  mutating func markRun() { runStart = first + elements.count }

  /// Adds a reader, which is not active; it begins with what was added since the trigger, or since the run began.
  mutating func addReader(fromRun: Bool = false) -> Int {
    lastReader += 1
    readers[lastReader] = Reader(place: fromRun ? max(start, runStart) : start)
    return lastReader
  }

  mutating func removeReader(_ id: Int) -> [Element] {
    let trash = trim()
    readers[id] = nil
    return trash + trim()
  }

  mutating func setActive(_ id: Int, _ isActive: Bool) -> [Element] {
    readers[id]?.isActive = isActive
    return trim()
  }

  func hasNext(for id: Int) -> Bool {
    readers[id].map { elements[max($0.place, first) - first] != nil } ?? false
  }

  /// The next element for a reader; nil if it has been given all of them.
  mutating func nextElement(for id: Int) -> Taken? {
    guard let reader = readers[id] else { return nil }
    let place = max(reader.place, first)
    guard let element = elements[place - first] else { return nil }
    readers[id]?.place = place + 1
    return Taken(element: element, dropped: place - reader.place, trash: trim())
  }

  mutating func removeAll() -> [Element] { elements.removeAll() }

  /// Drops what all readers were given, and what is too much.
  private mutating func trim() -> [Element] {
    if let slowest = readers.values.map(\.place).min() { start = max(start, slowest) }
    let needed = readers.values.filter(\.isActive).map(\.place).min() ?? .max
    var dropped: [Element] = []
    while first < start || elements.count > limit && first < needed {
      guard let element = elements.popFirst() else { break }
      dropped.append(element)
      first += 1
    }
    return dropped
  }
}

extension BacklogMachine: Sendable where Element: Sendable {}
extension BacklogMachine.Taken: Sendable where Element: Sendable {}
