/// The number of changes that wait for a reader of `changes`, at most.
///
/// ```swift
/// for await change in store.changes(buffering: .bounded(64, dropping: .oldest)) {
///   if change.droppedCount > 0 { resend(change.state) }
/// }
/// ```
public enum ChangeBuffering: Sendable, Hashable {
  /// Which end of a full buffer gives way.
  public enum End: Sendable, Hashable {
    /// The oldest change is dropped for the new one.
    case oldest
    /// The new change is dropped.
    case newest
  }

  /// All changes. While a reader does not read, the buffer grows with each commit.
  case unbounded
  /// At most this number, one or more.
  case bounded(Int, dropping: End)
}

/// The elements since one moment, each of which every reader is yet to be given, as a pure machine.
///
/// Elements that are kept have numbers, from 0. A reader has a place: the number of the element that it is given next.
/// A new reader begins with the oldest element that some reader has yet to be given; the first one begins with 0.
///
/// While no reader is active, at most `limit` elements are kept. A further one takes the place of the oldest, or is
/// refused; either way the next element that a reader is given counts it. An active reader loses none.
struct ChangeBufferMachine<Element: Sendable>: Sendable {
  private struct Reader: Sendable {
    let id: Int
    var place: Int
    var isActive = false
    var isFirst = true
  }

  private struct Entry: Sendable {
    let element: Element
    /// How many were refused since the element before it.
    let refused: Int
  }

  struct Taken: Sendable {
    let element: Element
    /// How many elements before this one the reader has lost.
    let dropped: Int
    let isFirst: Bool
    /// To be released without the lock.
    let trash: InlineList<Element>
  }

  private let limit: Int
  private let dropping: ChangeBuffering.End
  private var entries = RingBuffer<Entry>()
  private var first = 0
  /// Where a new reader begins; less than `first` if elements were lost.
  private var start = 0
  private var runStart = 0
  /// How many were refused since the last element that was kept.
  private var refused = 0
  private var readers: [Reader] = []
  private var lastReader = 0

  init(limit: Int, dropping: ChangeBuffering.End = .oldest) {
    (self.limit, self.dropping) = (limit, dropping)
  }

  init(_ buffering: ChangeBuffering) {
    switch buffering {
    case .unbounded:
      self.init(limit: .max)
    case .bounded(let count, let end):
      guard count > 0 else {
        fatalError(
          "Lensed: changes(buffering:) was given room for \(count) changes. Give it room for one at "
            + "least; a reader that wants the newest state alone reads `states`.")
      }
      self.init(limit: count, dropping: end)
    }
  }

  var count: Int { entries.count }

  /// A machine with the same elements, and no reader.
  var forked: ChangeBufferMachine { changed(self) { $0.readers = [] } }

  /// Whether it would refuse an element now; only a reader changes that.
  var isRefusing: Bool {
    dropping == .newest && entries.count >= limit && !readers.contains(where: \.isActive)
  }

  /// Counts an element as dropped that was not even made, because the buffer was refusing.
  mutating func refuse() { refused += 1 }

  /// Adds an element; returns what gave way, to be released without the lock.
  mutating func append(_ element: Element) -> InlineList<Element> {
    if isRefusing {
      refuse()
      return .one(element)
    }
    entries.append(Entry(element: element, refused: refused))
    refused = 0
    return trim()
  }

  /// Notes that the run begins: a reader from the run on is given what is added from now on.
  mutating func markRun() { runStart = first + entries.count }

  /// Adds a reader, which is not active; it begins with what was added since the trigger, or since the run began.
  mutating func addReader(fromRun: Bool = false) -> Int {
    lastReader += 1
    readers.append(Reader(id: lastReader, place: fromRun ? max(start, runStart) : start))
    return lastReader
  }

  mutating func removeReader(_ id: Int) -> InlineList<Element> {
    // A reader moves the start of later ones, also if it has read nothing.
    var trash = trim()
    readers.removeAll { $0.id == id }
    trim().forEach { trash.append($0) }
    return trash
  }

  mutating func setActive(_ id: Int, _ isActive: Bool) -> InlineList<Element> {
    if let index = index(of: id) { readers[index].isActive = isActive }
    return trim()
  }

  func hasNext(for id: Int) -> Bool {
    index(of: id).map { first + entries.count > max(readers[$0].place, first) } ?? false
  }

  /// The next element for a reader; nil if it has been given all of them.
  mutating func nextElement(for id: Int) -> Taken? {
    guard let index = index(of: id) else { return nil }
    let reader = readers[index]
    let place = max(reader.place, first)
    guard let entry = entries[place - first] else { return nil }
    (readers[index].place, readers[index].isFirst) = (place + 1, false)
    return Taken(
      element: entry.element, dropped: place - reader.place + entry.refused,
      isFirst: reader.isFirst, trash: trim())
  }

  mutating func removeAll() -> [Element] { entries.removeAll().map(\.element) }

  private func index(of id: Int) -> Int? { readers.firstIndex { $0.id == id } }

  /// Drops what all readers were given, and what is too much.
  private mutating func trim() -> InlineList<Element> {
    var (slowest, needed) = (Int.max, Int.max)
    for index in readers.indices {
      slowest = min(slowest, readers[index].place)
      if readers[index].isActive { needed = min(needed, readers[index].place) }
    }
    if !readers.isEmpty { start = max(start, slowest) }
    var dropped = InlineList<Element>()
    while first < start || entries.count > limit && first < needed {
      guard let entry = entries.popFirst() else { break }
      dropped.append(entry.element)
      first += 1
    }
    return dropped
  }
}
