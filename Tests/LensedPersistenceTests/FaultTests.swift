import Foundation
import Lensed
import LensedPersistence
import LensedTestSupport
import LensedTesting
import Testing

/// How long the proofs of this package go on; all of them scale with `VerificationLength.factor`.
private enum Length {
  /// In the long form every bit and every byte, of a folder of some hundred commits.
  static var isWhole: Bool { VerificationLength.factor > 1 }
  static var bits: Int { isWhole ? .max : 500 }
  static var cuts: Int { isWhole ? .max : 150 }
  static var steps: Int { isWhole ? 200 : 20 }
  static var segments: UInt64 { isWhole ? 4_000 : 900 }
  /// How many folders are cut or damaged everywhere.
  static var folders: UInt64 { isWhole ? 4 : 1 }
  static var programs: Int { 2 * VerificationLength.factor }
  static var seeds: Int { 2 * VerificationLength.factor }
}

/// A run of a program of commits on a storage, and what it knows afterwards.
private struct Run {
  /// The state after each commit, from the initial one on, and by the number of the commit.
  var states = [Board()]
  var byNumber: [UInt64: Board] = [:]
  /// For each sync that returned: how many operations there were, and which commits were safe.
  var acknowledged: [(operations: Int, commits: Int)] = []
  var faults: [PersistenceError] = []

  /// Dispatches random actions, some of them together, and syncs often.
  static func make(
    _ seed: UInt64, on faulty: FaultyStorage, steps: Int = 14, compactingAt bytes: UInt64 = 400
  ) async throws -> (Run, Persistence<Board>, Store<Board>) {
    var (run, generator) = (Run(), SeededGenerator(seed: seed))
    let disk = try Persistence(board: faulty, clock: ManualClock(), compactingAt: bytes)
    let store = try Board.makeStore(disk)
    run.states = [store.state]
    run.byNumber[store.commits] = store.state
    for _ in 0..<steps {
      let count = Int.random(in: 1...3, using: &generator)
      store.dispatch((0..<count).map { _ in Board.action(&generator) })
      run.states.append(store.state)
      run.byNumber[store.commits] = store.state
      if Int.random(in: 0..<3, using: &generator) == 0 { continue }
      do {
        try await disk.sync()
        run.acknowledged.append((faulty.operations, run.states.count - 1))
      } catch {
        run.faults.append(error)
      }
    }
    return (run, disk, store)
  }

  /// The commits that were safe after so many operations.
  func safe(after operations: Int) -> Int {
    acknowledged.last { $0.operations <= operations }?.commits ?? 0
  }
}

/// What a folder comes back as: the state, or the error; and it is as it was.
private func restore(
  _ files: [String: [UInt8]], sourceLocation: SourceLocation = #_sourceLocation
) throws -> Result<Board, PersistenceError> {
  let memory = MemoryStorage(files)
  defer { #expect(memory.files == files, "something was written", sourceLocation: sourceLocation) }
  do throws(PersistenceError) {
    let disk = try Persistence(board: memory)
    return .success(Board.makeBoard(disk))
  } catch {
    return .failure(error)
  }
}

@Suite struct FaultTests {
  /// A folder with a snapshot and segments of two processes, all of it acknowledged.
  private struct Filled {
    /// The run of the second process, which wrote `newest` alone.
    var run: Run
    var files: [String: [UInt8]]
    var newest: String

    var last: Board { run.states.last ?? Board() }

    /// The state after the commits of which all is within so many bytes of the newest segment.
    func state(within count: Int) throws -> Board {
      struct Commit: Decodable { var commit: UInt64 }
      let bytes = files[newest] ?? []
      var reader = RecordReader(file: newest) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
      var state = run.states[0]
      while let record = try reader.next(), reader.offset <= count {
        guard record.json.starts(with: #"{"commit":"#.utf8) else { continue }
        let number = try JSONDecoder().decode(Commit.self, from: Data(record.json)).commit
        state = try #require(run.byNumber[number])
      }
      return state
    }

    /// How many bytes of a file are needed: those of the newest one say how many of the one before it, and a snapshot is
    /// whole with its commit.
    func needed(of name: String) throws -> Int {
      if name.hasPrefix("snapshot") { return files[name]?.count ?? 0 }
      let places = files.keys.filter { $0.hasPrefix("segment") }.map { file -> Int in
        let text = String(decoding: files[file]?.prefix(120) ?? [], as: UTF8.self)
        let number = name.filter(\.isNumber)
        guard let range = text.range(of: #""after":{"segment":\#(number),"bytes":"#) else {
          return 0
        }
        return Int(text[range.upperBound...].prefix(while: \.isNumber)) ?? 0
      }
      return places.max() ?? 0
    }
  }

  private func makeFolder(seed: UInt64) async throws -> Filled {
    // One that has both a snapshot and segments of several groups.
    for seed in seed... {
      let first = FaultyStorage()
      let (_, disk, _) = try await Run.make(
        seed, on: first, steps: Length.steps, compactingAt: Length.segments)
      try await disk.close()
      let names = first.files.keys
      let size = first.files.filter { $0.key.hasPrefix("segment") }.map(\.value.count).max() ?? 0
      guard names.contains(where: { $0.hasPrefix("snapshot") }), size > 600 else { continue }
      let second = FaultyStorage(first.files)
      let (run, next, _) = try await Run.make(
        seed + 1_000, on: second, steps: Length.isWhole ? 30 : 6, compactingAt: .max)
      try await next.close()
      let new = Set(second.files.keys).subtracting(names)
      if new.count == 1, let newest = new.first {
        return Filled(run: run, files: second.files, newest: newest)
      }
    }
    fatalError("There are always such folders.")
  }

  @Test(arguments: 0..<Length.folders)
  func `any bit that flips is found, or changes nothing`(folder: UInt64) async throws {
    let filled = try await makeFolder(seed: 3 + 100 * folder)
    let files = filled.files
    var generator = SeededGenerator(seed: 5 + folder)
    let all = files.keys.sorted().flatMap { name in
      (0..<(files[name]?.count ?? 0) * 8).map { (name, $0) }
    }
    var found = 0
    for (name, bit) in all.shuffled(using: &generator).prefix(Length.bits) {
      var damaged = files
      damaged[name]?[bit / 8] ^= 1 << (bit % 8)
      switch try restore(damaged) {
      case .success(let board): #expect(board == filled.last, "\(name), bit \(bit)")
      case .failure(.damaged(let file, let byte, _)):
        found += 1
        #expect(file == name && Int(byte) <= bit / 8, "\(name), bit \(bit): \(file) at \(byte)")
      case .failure(let error): Issue.record("\(name), bit \(bit): \(error)")
      }
    }
    #expect(found > 0)
  }

  @Test(arguments: 0..<Length.folders)
  func `a folder cut at any byte has the last commit that is whole, or says what is missing`(
    folder: UInt64
  ) async throws {
    let filled = try await makeFolder(seed: 4 + 100 * folder)
    let files = filled.files
    var generator = SeededGenerator(seed: 6 + folder)
    let all = files.keys.sorted().flatMap { name in
      (0..<(files[name]?.count ?? 0)).map { (name, $0) }
    }
    var (found, earlier) = (0, 0)
    for (name, count) in all.shuffled(using: &generator).prefix(Length.cuts) {
      var cut = files
      cut[name] = files[name].map { Array($0.prefix(count)) }
      let place: Comment = "\(name) cut at \(count)"
      switch try restore(cut) {
      case .success(let board):
        let isNewest = name == filled.newest
        #expect(try board == (isNewest ? filled.state(within: count) : filled.last), place)
        if !isNewest { #expect(try count >= filled.needed(of: name), place) }
        if board != filled.last { earlier += 1 }
      case .failure(.damaged(let file, let byte, _)):
        found += 1
        // The newest one ends where it ends: nothing says that there was more.
        #expect(file == name && Int(byte) <= count && name != filled.newest, place)
        #expect(try count < filled.needed(of: name), place)
      case .failure(let error): Issue.record("\(name) cut at \(count): \(error)")
      }
    }
    #expect(found > 0 && earlier > 0)
  }

  @Test func `a power cut after any operation loses nothing that was acknowledged`() async throws {
    for program in 0..<UInt64(Length.programs) {
      let faulty = FaultyStorage()
      let (run, disk, _) = try await Run.make(program, on: faulty)
      try await disk.close()
      for operations in 0...faulty.operations {
        for seed in 0..<UInt64(Length.seeds) {
          let files = faulty.afterPowerCut(operations, seed: seed)
          guard case .success(let board) = try restore(files) else {
            Issue.record("program \(program), cut after \(operations), seed \(seed)")
            continue
          }
          #expect(
            run.states[run.safe(after: operations)...].contains(board),
            "program \(program), cut after \(operations), seed \(seed)")
        }
      }
    }
  }

  @Test func `after a power cut it goes on, and survives the next one`() async throws {
    for seed in 0..<UInt64(4 * VerificationLength.factor) {
      var files: [String: [UInt8]] = [:]
      var generator = SeededGenerator(seed: seed)
      for round in 0..<5 {
        let faulty = FaultyStorage(files)
        let (run, _, _) = try await Run.make(seed + UInt64(round), on: faulty, steps: 6)
        let cut = Int.random(in: 0...faulty.operations, using: &generator)
        files = faulty.afterPowerCut(cut, seed: seed)
        guard case .success(let board) = try restore(files) else {
          Issue.record("seed \(seed), round \(round)")
          break
        }
        #expect(run.states[run.safe(after: cut)...].contains(board), "seed \(seed), round \(round)")
      }
    }
  }

  @Test
  func `whichever call fails, once or for ever, nothing acknowledged is lost, and it recovers`()
    async throws
  {
    let codes = [EIO, ENOSPC, EDQUOT, EINTR, EMFILE, EROFS, EACCES]
    let counting = FaultyStorage()
    let (_, disk, _) = try await Run.make(9, on: counting)
    try await disk.close()
    var generator = SeededGenerator(seed: 1)
    var faults = 0
    for call in 0..<counting.calls {
      for lasts in [false, true] {
        let share =
          VerificationLength.factor > 1 ? codes : [codes.randomElement(using: &generator) ?? EIO]
        for code in share {
          let faulty = FaultyStorage()
          let writes = Int.random(in: 0..<40, using: &generator)
          // A renaming that fails may have been done.
          let renames = Bool.random(using: &generator)
          faulty.fail(after: call, with: code, lasts: lasts, writing: writes, renaming: renames)
          let name: Comment = "call \(call), errno \(code), lasts: \(lasts)"
          guard let (run, disk, store) = try? await Run.make(9, on: faulty) else {
            #expect(faulty.files.isEmpty, name)
            continue
          }
          faults += run.faults.count
          // As it stands now, and as a power cut would leave it.
          for files in [faulty.files, faulty.afterPowerCut(seed: UInt64(call))] {
            guard case .success(let board) = try restore(files) else {
              Issue.record(name)
              continue
            }
            #expect(run.states[run.safe(after: .max)...].contains(board), name)
          }
          faulty.heal()
          try await disk.sync()
          #expect(disk.status == .healthy, name)
          try await disk.close()
          #expect(try restore(faulty.files) == .success(store.state), name)
        }
      }
    }
    #expect(faults > counting.calls)
  }

  @Test(arguments: [EIO, ENOSPC, EDQUOT, EINTR, EMFILE, EROFS, EACCES])
  func `whichever call fails while a folder is opened, it says so and changes nothing`(
    code: Int32
  ) async throws {
    let filled = try await makeFolder(seed: 3)
    let counting = FaultyStorage(filled.files)
    #expect(Board.makeBoard(try Persistence(board: counting)) == filled.last)
    var failed: Set<DiskFault.Operation> = []
    for call in 0..<counting.calls {
      for (recovering, lasts) in [
        (PersistenceRecovering.strictly, false), (.strictly, true), (.salvage, false),
        (.salvage, true),
      ] {
        let faulty = FaultyStorage(filled.files)
        faulty.fail(after: call, with: code, lasts: lasts)
        let name: Comment = "call \(call), errno \(code), lasts: \(lasts)"
        do throws(PersistenceError) {
          _ = try Persistence(board: faulty, recovering: recovering)
          Issue.record(name)
        } catch {
          guard case .storage(let fault) = error else {
            Issue.record("\(name): \(error)")
            continue
          }
          #expect(fault.reason == .code(code), name)
          failed.insert(fault.operation)
        }
        #expect(faulty.files == filled.files, name)
        faulty.heal()
        let disk = try Persistence(board: faulty)
        #expect(Board.makeBoard(disk) == filled.last, name)
        #expect(faulty.files == filled.files, name)
      }
    }
    // Each one that opening has.
    #expect(failed == [.lock, .list, .read])
  }
}

/// A process that is killed, the next one whose disk fails, and a power cut behind both.
@Suite struct SecondFaultTests {
  /// What the next process did.
  private struct Next {
    var states: [Board] = []
    var safe = 0

    init(_ start: Board) {
      states = [start]
    }

    mutating func commit(_ number: Int, _ store: Store<Board>, _ disk: Persistence<Board>) async {
      store.dispatch([BoardAction.limit(100 + number), .add(Card(id: 100 + number), at: 0)])
      states.append(store.state)
      if (try? await disk.sync()) != nil { safe = states.count - 1 }
    }
  }

  @Test
  func `whichever call fails after a kill at any moment, a power cut takes nothing acknowledged`()
    async throws
  {
    let first = FaultyStorage()
    let (run, disk, _) = try await Run.make(11, on: first)
    try await disk.close()
    var refused = 0
    for killed in stride(from: 0, through: first.operations, by: Length.isWhole ? 1 : 5) {
      for call in 0..<(Length.isWhole ? 16 : 8) {
        for lasts in [false, true] {
          let faulty = first.afterKill(killed)
          // With snapshots, and without any: they make safe what comes before them.
          let disk = try Persistence(board: faulty, compactingAt: lasts ? 400 : nil)
          let store = try Board.makeStore(disk)
          var next = Next(store.state)
          faulty.fail(after: call, with: EIO, lasts: lasts, writing: call * 7)
          for number in 0..<3 { await next.commit(number, store, disk) }
          if next.safe < 3 { refused += 1 }
          let name = "killed after \(killed), call \(call), lasts: \(lasts)"
          let earlier = next.safe == 0 ? Array(run.states[run.safe(after: killed)...]) : []
          try check(faulty, earlier + next.states[next.safe...], "\(name)")
          faulty.heal()
          await next.commit(3, store, disk)
          #expect(next.safe == 4, "\(name)")
          try check(faulty, [store.state], "\(name), healed")
        }
      }
    }
    #expect(refused > 0)
  }

  @Test func `what is restored after a kill is safe when a sync returns`()
    async throws
  {
    let first = FaultyStorage()
    let (_, disk, _) = try await Run.make(12, on: first)
    try await disk.close()
    for killed in 0...first.operations {
      for fails in [false, true] {
        let faulty = first.afterKill(killed)
        let disk = try Persistence(board: faulty)
        let store = try Board.makeStore(disk)
        if fails {
          faulty.fail(.sync, with: EIO)
          // Where there was nothing to sync, there is nothing to fail.
          try? await disk.sync()
        }
        try await disk.sync()
        try check(faulty, [store.state], "killed after \(killed), fails: \(fails)")
        try await disk.close()
      }
    }
  }

  @Test func `a snapshot that was renamed, and whose folder was not synced, loses nothing`()
    async throws
  {
    let codes = [EIO, ENOSPC, EDQUOT, EINTR, EROFS]
    var (renamed, generator) = (0, SeededGenerator(seed: 20))
    for (seed, code) in zip(20..., codes) {
      for lasts in [false, true] {
        let faulty = FaultyStorage()
        faulty.fail(.publish, with: code, lasts: lasts, renaming: true)
        let (run, disk, store) = try await Run.make(UInt64(seed), on: faulty)
        let name = "seed \(seed), lasts: \(lasts)"
        for operations in share(of: faulty.operations, &generator) {
          for cut in 0..<UInt64(Length.seeds) {
            let files = faulty.afterPowerCut(operations, seed: cut)
            guard case .success(let board) = try restore(files) else {
              Issue.record("\(name), after \(operations), cut \(cut)")
              continue
            }
            #expect(
              run.states[run.safe(after: operations)...].contains(board),
              "\(name), after \(operations), cut \(cut)")
          }
        }
        // Killed: the next process goes on from the snapshot, whose name the disk may not have.
        for killed in share(of: faulty.operations, &generator) {
          let next = faulty.afterKill(killed)
          if next.files.keys.contains(where: { $0.hasPrefix("snapshot") && $0.hasSuffix("lensed") })
          {
            renamed += 1
          }
          let disk = try Persistence(board: next)
          let store = try Board.makeStore(disk)
          store.dispatch(BoardAction.rename("next"))
          try await disk.sync()
          try check(next, [store.state], "\(name), killed after \(killed)")
          try await disk.close()
          try check(next, [store.state], "\(name), killed after \(killed), closed")
        }
        faulty.heal()
        try await disk.close()
        try check(faulty, [store.state], "\(name), healed")
      }
    }
    #expect(renamed > 0)
  }

  /// The moments after so many operations: in the long form all, and else the last one and a third of the others.
  private func share(of operations: Int, _ generator: inout SeededGenerator) -> [Int] {
    let all = Array(0..<operations)
    if Length.isWhole { return all + [operations] }
    return all.shuffled(using: &generator).prefix(operations / 3) + [operations]
  }

  private func check(_ faulty: FaultyStorage, _ allowed: [Board], _ name: Comment) throws {
    for seed in 0..<UInt64(Length.seeds) {
      let files = faulty.afterPowerCut(seed: seed)
      guard case .success(let board) = try restore(files) else {
        Issue.record("\(name), cut \(seed)")
        continue
      }
      #expect(allowed.contains(board), "\(name), cut \(seed)")
    }
  }
}

@Suite struct SalvageFaultTests {
  /// Folders in which something does not fit, and which a snapshot and several segments are in.
  private func makeDamagedFolder(seed: UInt64) async throws -> [String: [UInt8]] {
    var generator = SeededGenerator(seed: seed)
    while true {
      let program = generator.next()
      let faulty = FaultyStorage()
      let (_, disk, _) = try await Run.make(program, on: faulty, steps: 12, compactingAt: 600)
      try await disk.close()
      var files = faulty.files
      let names = files.keys.filter { $0.hasSuffix(".lensed") }.sorted()
      guard let name = names.randomElement(using: &generator), let count = files[name]?.count,
        count > 0
      else { continue }
      files[name]?[Int.random(in: 0..<count, using: &generator)] ^= 1
      if case .failure(.damaged) = try restore(files) { return files }
    }
  }

  /// What is left of a folder while, and after, it is salvaged.
  ///
  /// It still has to be, or it was, and then what was damaged stands beside it. Nothing of the damaged files is lost
  /// either way.
  private func check(
    _ files: [String: [UInt8]], _ damaged: [String: [UInt8]], _ salvaged: Board,
    mayBeNewer: Bool = false, _ comment: Comment
  ) throws {
    for (name, bytes) in damaged where name.hasSuffix(".lensed") {
      #expect(files[name] == bytes || files["damaged-" + name] == bytes, "\(name), \(comment)")
    }
    switch try restore(files) {
    case .success(let board): #expect(mayBeNewer || board == salvaged, comment)
    case .failure(.damaged):
      // It can be salvaged once more, and comes to the same.
      #expect(!mayBeNewer, comment)
      let disk = try Persistence(board: MemoryStorage(files), recovering: .salvage)
      #expect(Board.makeBoard(disk) == salvaged, comment)
    case .failure(let error): Issue.record("\(error), \(comment)")
    }
  }

  @Test
  func `a power cut at any moment of a salvage loses neither what is salvaged nor what is damaged`()
    async throws
  {
    for seed in 0..<UInt64(Length.programs) {
      let damaged = try await makeDamagedFolder(seed: seed)
      let faulty = FaultyStorage(damaged)
      let disk = try Persistence(board: faulty, recovering: .salvage, compactingAt: 600)
      let salvaged = Board.makeBoard(try Persistence(board: MemoryStorage(faulty.files)))
      let during = faulty.operations
      // Then it goes on, until a snapshot has taken the place of that of the salvage.
      let store = try Board.makeStore(disk)
      #expect(store.state == salvaged)
      for number in 0..<12 {
        store.dispatch(BoardAction.rename("\(number) \(String(repeating: "long", count: 30))"))
        try await disk.sync()
      }
      try await disk.close()
      for operations in 0...faulty.operations {
        for cut in 0..<UInt64(Length.seeds) {
          try check(
            faulty.afterPowerCut(operations, seed: cut), damaged, salvaged,
            mayBeNewer: operations > during, "folder \(seed), cut after \(operations), seed \(cut)")
        }
      }
    }
  }

  @Test
  func `a salvage that was interrupted can be done again, and nothing is lost by the next one`()
    async throws
  {
    for seed in 0..<UInt64(Length.programs) {
      let damaged = try await makeDamagedFolder(seed: seed + 100)
      let counting = FaultyStorage(damaged)
      _ = try Persistence(board: counting, recovering: .salvage)
      let salvaged = Board.makeBoard(try Persistence(board: MemoryStorage(counting.files)))
      for operations in 0...counting.operations {
        let again = FaultyStorage(counting.afterPowerCut(operations, seed: seed))
        let disk = try Persistence(board: again, recovering: .salvage)
        let store = try Board.makeStore(disk)
        #expect(store.state == salvaged, "folder \(seed), cut after \(operations)")
        store.dispatch(BoardAction.rename("next"))
        try await disk.close()
        try check(
          again.files, damaged, salvaged, mayBeNewer: true,
          "folder \(seed), cut after \(operations)")
        #expect(!again.files.keys.contains { $0.hasSuffix(".new") })
      }
    }
  }

  @Test func `whichever call of a salvage fails, nothing is lost, and it can be done again`()
    async throws
  {
    let damaged = try await makeDamagedFolder(seed: 200)
    let counting = FaultyStorage(damaged)
    _ = try Persistence(board: counting, recovering: .salvage)
    let salvaged = Board.makeBoard(try Persistence(board: MemoryStorage(counting.files)))
    for call in 0..<counting.calls {
      for lasts in [false, true] {
        let faulty = FaultyStorage(damaged)
        faulty.fail(after: call, with: ENOSPC, lasts: lasts, writing: call)
        _ = try? Persistence(board: faulty, recovering: .salvage)
        for files in [faulty.files, faulty.afterPowerCut(seed: UInt64(call))] {
          try check(files, damaged, salvaged, "call \(call), lasts: \(lasts)")
        }
        faulty.heal()
        let disk = try Persistence(board: faulty, recovering: .salvage)
        #expect(Board.makeBoard(disk) == salvaged)
        try check(faulty.files, damaged, salvaged, "call \(call), healed")
      }
    }
  }
}

/// The ends of the numbers that a faulty storage takes.
@Suite(.timeLimit(.minutes(30))) struct `A faulty storage takes any number` {
  @Test(arguments: [Int.min, -1, 0, 1, .max])
  func `of calls, bytes and operations`(number: Int) throws {
    let faulty = FaultyStorage(["file": [1, 2, 3]])
    #expect(
      try faulty.read("file", from: 1, count: number) == Array([2, 3].prefix(max(0, number))))
    #expect(try faulty.read("file", from: .max, count: number) == [])
    faulty.slow(to: number, by: ManualClock())
    // No byte takes no time: a task may not wait for another one here.
    try faulty.append([], to: "file")
    faulty.heal()
    faulty.fail(.append, after: number, with: .max, writing: number)
    let isFaulty = number <= 0
    if isFaulty {
      #expect(throws: (any Error).self) { try faulty.append([4], to: "file") }
    } else {
      try faulty.append([4], to: "file")
    }
    #expect(faulty.afterPowerCut(number, seed: 1)["file"]?.starts(with: [1, 2, 3]) == true)
  }
}
