import LensedTestSupport
import LensedTesting
import Testing

@testable import Lensed

@Suite("HashIndex: labels by hash, in versions that share", .timeLimit(.minutes(30)))
struct HashIndexTests {
  private struct Version {
    var index = HashIndex()
    var entries: [HashEntry] = []

    var flaw: String? {
      let order = { (left: HashEntry, right: HashEntry) in
        (left.hash, left.label) < (right.hash, right.label)
      }
      if index.entries.sorted(by: order) != entries.sorted(by: order) { return "other entries" }
      for entry in entries {
        let labels = entries.filter { $0.hash == entry.hash }.map(\.label).sorted()
        if index.labels(entry.hash).sorted() != labels { return "other labels of \(entry.hash)" }
        if index.first(entry.hash).map(labels.contains) != true { return "none of \(entry.hash)" }
      }
      return nil
    }
  }

  /// How hashes can be alike: in all bits, in the lower ones, in the higher ones, at random.
  enum Likeness: CaseIterable {
    case equal, lower, higher, some, none

    func hash(_ number: Int) -> UInt32 {
      let number = UInt32(number)
      return switch self {
      case .equal: 7
      case .lower: number << 20
      case .higher: number % 50
      case .some: (number % 3) << 30 | (number % 5) << 15 | number % 7
      case .none: number &* 0x9E37_79B9
      }
    }
  }

  @Test(arguments: Likeness.allCases, 0..<UInt64(VerificationLength.factor))
  func `random programs keep the entries of an array, in each version`(
    _ likeness: Likeness, _ seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var versions = [Version()]
    var label: UInt64 = 0
    for step in 0..<300 {
      let which = Int.random(in: 0..<versions.count, using: &generator)
      if step.isMultiple(of: 60) { versions.append(versions[which]) }
      let known = versions[which].entries.randomElement(using: &generator)
      switch (Int.random(in: 0..<10, using: &generator), known) {
      case (0, let known?):
        label += 1
        versions[which].index.replace(known, with: label)
        versions[which].entries.removeAll { $0 == known }
        versions[which].entries.append(HashEntry(hash: known.hash, label: label))
      case (1...(step > 200 ? 7 : 2), let known?):
        versions[which].index.remove(known)
        versions[which].entries.removeAll { $0 == known }
      default:
        label += 1
        let number = Int.random(in: 0..<1_000, using: &generator)
        let entry = HashEntry(hash: likeness.hash(number), label: label)
        versions[which].index.insert(entry)
        versions[which].entries.append(entry)
        versions[which].index.remove(HashEntry(hash: entry.hash, label: 0))
      }
    }
    for version in versions { #expect(version.flaw == nil, "seed \(seed)") }
  }

  @Test(arguments: Likeness.allCases, [0, 1, 40, 41, 500, 5_000])
  func `an index that is made of all entries at once has them, and those whose hashes are alike`(
    _ likeness: Likeness, _ count: Int
  ) {
    let entries = (0..<count).map { HashEntry(hash: likeness.hash($0), label: UInt64($0)) }
    var version = Version(index: HashIndex(ContiguousArray(entries)), entries: entries)
    #expect(version.index.entries.map(\.label).sorted() == entries.map(\.label))
    let doubled = Dictionary(grouping: entries, by: \.hash).values.filter { $0.count > 1 }
    #expect(
      Set(version.index.doubled) == Set(doubled.map { $0.map(\.label) }), "in the order they came")
    if count <= 500 { #expect(version.flaw == nil) }
    let copy = version.index
    for entry in entries { version.index.remove(entry) }
    #expect(version.index.entries.isEmpty && copy.entries.count == count)
    for entry in entries { version.index.insert(entry) }
    if count <= 500 { #expect(version.flaw == nil) }
  }

  @Test(arguments: Likeness.allCases)
  func `all entries go again, and leave nothing`(_ likeness: Likeness) {
    let entries = (0..<500).map { HashEntry(hash: likeness.hash($0), label: UInt64($0)) }
    var index = HashIndex()
    for entry in entries { index.insert(entry) }
    let full = index
    for entry in entries { index.remove(entry) }
    #expect(index.entries.isEmpty && full.entries.count == 500)
    for entry in entries { #expect(index.first(entry.hash) == nil) }
  }
}
