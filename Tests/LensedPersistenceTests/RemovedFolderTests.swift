#if os(Linux) || os(macOS)
  import Foundation
  import Lensed
  import LensedPersistence
  import LensedTestSupport
  import Testing

  /// Folders that others remove, move or replace while they are in use, and ways that lead to one folder twice.
  @Suite(.timeLimit(.minutes(30))) struct RemovedFolderTests {
    private let manager = FileManager.default

    private func open(_ folder: URL) throws(PersistenceError) -> Persistence<Board> {
      try Persistence<Board>(in: folder, writing: .eachCommit, onFailure: { _ in }) {
        for part in Board.kept() { part }
      }
    }

    private func open(
      _ group: PersistenceGroup, _ name: String
    ) throws(PersistenceError) -> Persistence<Board> {
      try group.persistence(named: name, writing: .eachCommit, onFailure: { _ in }) {
        for part in Board.kept() { part }
      }
    }

    /// What the folder of a closed persistence comes back as.
    private func restore(_ folder: URL) async throws -> Int {
      let disk = try open(folder)
      let cards = Board.makeBoard(disk).limits.cards
      try await disk.close()
      return cards
    }

    /// What somebody does to a folder that is in use.
    private enum Mischief: CaseIterable {
      case removed, removedAndMade, moved, replaced, withoutLock
      case withoutSegment, withoutOlderSegment, withMovedSegment, withOtherSegment

      /// Whether a sync sees it that has nothing to write.
      var isSeenAtOnce: Bool { self != .withOtherSegment }
      /// Whether the folder is still this persistence's, so that the next writes make it good.
      var isRepaired: Bool {
        switch self {
        case .withoutSegment, .withoutOlderSegment, .withMovedSegment, .withOtherSegment: true
        default: false
        }
      }

      func perform(on folder: URL) throws {
        let manager = FileManager.default
        switch self {
        case .removed: try manager.removeItem(at: folder)
        case .removedAndMade:
          try manager.removeItem(at: folder)
          try manager.createDirectory(at: folder, withIntermediateDirectories: false)
        case .moved: try manager.moveItem(at: folder, to: folder.appendingPathExtension("moved"))
        case .replaced:
          try manager.moveItem(at: folder, to: folder.appendingPathExtension("moved"))
          try manager.createDirectory(at: folder, withIntermediateDirectories: false)
        case .withoutLock: try manager.removeItem(at: folder.appending(path: "lock"))
        case .withoutSegment:
          try manager.removeItem(at: folder.appending(path: "segment-2.lensed"))
        case .withoutOlderSegment:
          try manager.removeItem(at: folder.appending(path: "segment-1.lensed"))
        case .withMovedSegment, .withOtherSegment:
          let segment = folder.appending(path: "segment-2.lensed")
          try manager.moveItem(at: segment, to: folder.appendingPathExtension("segment"))
          if self == .withOtherSegment { try Data("other\n".utf8).write(to: segment) }
        }
      }
    }

    @Test func `what is synced to a folder that somebody removed or moved is there, or an error`()
      async throws
    {
      for mischief in Mischief.allCases {
        for inGroup in [false, true] where !(inGroup && mischief == .withoutLock) {
          try await withFolder { parent in
            try manager.createDirectory(at: parent, withIntermediateDirectories: true)
            let folder = parent.appending(path: "one")
            let group = inGroup ? try PersistenceGroup(in: parent) : nil
            // A segment of its own, which is written no more.
            let former = try group.map { try open($0, "one") } ?? open(folder)
            try Board.makeStore(former).dispatch(BoardAction.limit(100))
            try await former.close()
            let disk = try group.map { try open($0, "one") } ?? open(folder)
            let store = try Board.makeStore(disk)
            store.dispatch(BoardAction.limit(1))
            try await disk.sync()
            try mischief.perform(on: folder)
            if mischief.isSeenAtOnce {
              await #expect(throws: PersistenceError.self, "\(mischief), in a group: \(inGroup)") {
                try await disk.sync()
              }
            }
            var safe = 0
            for number in 2..<6 {
              store.dispatch(BoardAction.limit(number))
              if (try? await disk.sync()) != nil { safe = number }
            }
            if mischief.isRepaired { #expect(safe == 5, "\(mischief), in a group: \(inGroup)") }
            // As the next process finds it, where this one has left it.
            for place in [folder, folder.appendingPathExtension("moved")]
            where safe > 0 && manager.fileExists(atPath: place.path) {
              // Outside, since all that lies in the folder of a group is the group's.
              let copy = URL(filePath: parent.path + "-\(place.lastPathComponent)")
              defer { try? manager.removeItem(at: copy) }
              try manager.copyItem(at: place, to: copy)
              let kept = try await restore(copy)
              #expect((safe...5).contains(kept), "\(mischief), in a group: \(inGroup)")
              safe = 0
            }
            #expect(safe == 0, "\(mischief), in a group: \(inGroup): acknowledged, and nowhere")
          }
        }
      }
    }

    @Test func `whoever made the folder anew has it alone`() async throws {
      try await withFolder { folder in
        let disk = try open(folder)
        let store = try Board.makeStore(disk)
        store.dispatch(BoardAction.limit(1))
        try await disk.sync()
        try manager.removeItem(at: folder)
        let other = try open(folder)
        let next = try Board.makeStore(other)
        next.dispatch(BoardAction.limit(100))
        try await other.sync()
        for number in 2..<6 {
          store.dispatch(BoardAction.limit(number))
          await #expect(throws: PersistenceError.self) { try await disk.sync() }
          next.dispatch(BoardAction.limit(100 + number))
          try await other.sync()
        }
        try await other.close()
        #expect(try await restore(folder) == 105)
      }
    }

    @Test func `whoever made the folder anew keeps all files, whatever the former owner gives up`()
      async throws
    {
      for written in 0...2 {
        try await withFolder { folder in
          let disk = try open(folder)
          let store = try Board.makeStore(disk)
          for number in 0..<written {
            store.dispatch(BoardAction.limit(number))
            try await disk.sync()
          }
          try manager.removeItem(at: folder)
          // Segments of the same numbers.
          for number in 1...4 {
            let other = try open(folder)
            try Board.makeStore(other).dispatch(BoardAction.limit(100 + number))
            try await other.close()
          }
          let other = try open(folder)
          let files = try manager.contentsOfDirectory(atPath: folder.path).sorted()
          for number in 0..<4 {
            store.dispatch(BoardAction.limit(number))
            await #expect(throws: PersistenceError.self) { try await disk.sync() }
          }
          #expect(try manager.contentsOfDirectory(atPath: folder.path).sorted() == files)
          try await other.close()
          #expect(try await restore(folder) == 104)
        }
      }
    }

    @Test func `a link in place of a folder of a group is refused`() async throws {
      try await withFolder { parent in
        let group = try PersistenceGroup(in: parent)
        let disk = try open(group, "one")
        let store = try Board.makeStore(disk)
        store.dispatch(BoardAction.limit(1))
        try await disk.sync()
        for (name, target) in [("two", "one"), ("up", ".."), ("nowhere", "absent")] {
          try manager.createSymbolicLink(
            atPath: parent.appending(path: name).path, withDestinationPath: target)
          #expect(throws: PersistenceError.self, "\(name)") { _ = try open(group, name) }
          // The name is free again.
          try manager.removeItem(at: parent.appending(path: name))
          try await open(group, name).close()
        }
        try await disk.close()
      }
    }
  }
#endif
