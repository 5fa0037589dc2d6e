#if os(Linux) || os(macOS)
  import Foundation
  import Lensed
  import LensedPersistence
  import LensedTestSupport
  import Testing

  /// Two users of folders of which one is the other, lies inside of it, or above it.
  ///
  /// The second one is refused with an error that says why, or both keep what is theirs.
  @Suite(.timeLimit(.minutes(30))) struct NestedFoldersTests {
    private let manager = FileManager.default

    /// Who uses a folder.
    private enum User: CaseIterable {
      /// A persistence of its own.
      case persistence
      /// A group.
      case group
      /// A store of the group of the folder above.
      case storeOfGroup
      /// A session file in the folder.
      case session

      /// How deep a folder has to lie for it.
      var isBelowItsGroup: Bool { self == .storeOfGroup }
    }

    /// Where the second one is, seen from the first one.
    private enum Relation: CaseIterable {
      case same, inside, above

      func place(_ folder: URL) -> URL {
        switch self {
        case .same: folder
        case .inside: folder.appending(path: "inner")
        case .above: folder.deletingLastPathComponent()
        }
      }
    }

    /// How the second one spells its folder.
    private enum Spelling: CaseIterable {
      case plain, throughALink, throughTheFolderAbove, withDots

      /// Another way to a folder that may not be there yet.
      func spelled(_ folder: URL, links: URL) throws -> URL {
        let (above, name) = (folder.deletingLastPathComponent(), folder.lastPathComponent)
        switch self {
        case .plain: return folder
        case .throughALink:
          let link = links.appending(path: "link-\(UUID().uuidString)")
          try FileManager.default.createSymbolicLink(at: link, withDestinationURL: above)
          return link.appending(path: name)
        case .throughTheFolderAbove:
          return URL(filePath: above.path + "/../" + above.lastPathComponent + "/" + name)
        case .withDots: return URL(filePath: above.path + "/.//./" + name)
        }
      }
    }

    /// What somebody holds, and keeps something in.
    private final class Use {
      private let group: PersistenceGroup?
      private var store: Store<Board>?
      private let disk: Persistence<Board>?
      private let session: (URL, SessionRecorder<Board>)?

      init(_ user: User, _ folder: URL) throws {
        switch user {
        case .persistence:
          group = nil
          disk = try Persistence<Board>(in: folder, writing: .eachCommit, onFailure: { _ in }) {
            for part in Board.kept() { part }
          }
          session = nil
        case .group, .storeOfGroup:
          // A group is of its own name here; the store of one is called as its folder is.
          let name = user == .group ? "own" : folder.lastPathComponent
          let group = try PersistenceGroup(
            in: user == .group ? folder : folder.deletingLastPathComponent())
          self.group = group
          disk = try group.persistence(named: name, writing: .eachCommit, onFailure: { _ in }) {
            for part in Board.kept() { part }
          }
          session = nil
        case .session:
          (group, disk) = (nil, nil)
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          let file = folder.appending(path: "\(UUID().uuidString).lensed")
          session = (file, try SessionRecorder<Board>(to: file, ActionRegistry(.json)) { _ in })
        }
        let middleware: [any Middleware<Board>] =
          (disk.map { [$0] } ?? []) + (session.map { [$0.1] } ?? [])
        store = try Store(initialState: Board(), middleware: middleware) {
          for part in Board.parts() { part }
        }
      }

      /// What it begins with.
      var cards: Int? { store?.limits.cards }

      func keep(_ number: Int) async throws {
        store?.dispatch(BoardAction.limit(number))
        try await disk?.sync()
      }

      /// Ends it.
      func end() async throws {
        store = nil
        try await disk?.close()
        try group?.close()
        if let file = session?.0 {
          var reader = try RecordReader(file)
          while try reader.next() != nil {}
          #expect(reader.tornAt == nil)
        }
      }
    }

    /// The words of the error that the second one has to get; nil where both are safe.
    private func refusal(
      _ first: User, _ second: User, _ relation: Relation, _ folder: URL
    ) -> [String]? {
      let (place, parent) = (relation.place(folder), folder.deletingLastPathComponent())
      if first == .session || second == .session { return nil }
      // The folder with the lock of each, and whether a group has it.
      let (held, wanted) = (
        first.isBelowItsGroup ? parent : folder,
        second.isBelowItsGroup ? place.deletingLastPathComponent() : place
      )
      let inUse = "is in use by another process, or by another Persistence"
      if held.path == wanted.path { return [inUse, held.lastPathComponent] }
      let isInside = wanted.path.hasPrefix(held.path + "/")
      if first != .persistence && isInside {
        return ["which a PersistenceGroup has", held.lastPathComponent, wanted.lastPathComponent]
      }
      // A store of a group, in a folder that somebody has for itself.
      if second == .storeOfGroup && place.path == held.path {
        return ["which a PersistenceGroup has", held.lastPathComponent, wanted.lastPathComponent]
      }
      return nil
    }

    private func files(_ folder: URL) -> Set<String> {
      Set((manager.enumerator(atPath: folder.path)?.allObjects as? [String]) ?? [])
    }

    @Test(arguments: User.allCases)
    private func `two users of one folder, or of folders in each other, are refused or safe`(
      first: User
    ) async throws {
      for second in User.allCases {
        for relation in Relation.allCases {
          for spelling in Spelling.allCases {
            try await withFolder { root in
              let name: Comment = "\(first), \(second) \(relation), \(spelling)"
              let root = root.resolvingSymlinksInPath()
              let links = root.appending(path: "links")
              let folder = root.appending(path: "a/b/c")
              for one in [links, folder] {
                try manager.createDirectory(at: one, withIntermediateDirectories: true)
              }
              let one = try Use(first, folder)
              try await one.keep(1)
              let place = relation.place(folder)
              let spelled = try spelling.spelled(place, links: links)
              if let words = refusal(first, second, relation, folder) {
                let before = files(root)
                do {
                  _ = try Use(second, spelled)
                  Issue.record("\(name) was not refused")
                } catch {
                  for word in words { #expect("\(error)".contains(word), "\(name): \(error)") }
                }
                // The group itself may be there; its store is not.
                let above = "\(place.deletingLastPathComponent().path)/lock"
                let new = files(root).subtracting(before).filter {
                  second != .storeOfGroup || root.path + "/" + $0 != above
                }
                #expect(new.isEmpty, name)
              } else {
                let two = try Use(second, spelled)
                try await two.keep(2)
                try await one.keep(3)
                try await two.keep(4)
                try await two.end()
                if second != .session {
                  let again = try Use(second, spelled)
                  #expect(again.cards == 4, name)
                  // What is only let go may have its folder until its thread has ended.
                  try await again.end()
                }
              }
              try await one.keep(5)
              try await one.end()
              if first != .session { #expect(try Use(first, folder).cards == 5, name) }
            }
          }
        }
      }
    }

    @Test func `removing a store of a group removes no folder in it that somebody has`()
      async throws
    {
      try await withFolder { parent in
        let inner = parent.appending(path: "one/deep/inner")
        let disk = try Use(.persistence, inner)
        try await disk.keep(1)
        let group = try PersistenceGroup(in: parent)
        #expect {
          try group.remove(named: "one")
        } throws: {
          "\($0)".contains("inner") && "\($0)".contains("which a PersistenceGroup has")
        }
        try await disk.keep(2)
        try await disk.end()
        try group.remove(named: "one")
        #expect(!manager.fileExists(atPath: parent.path + "/one"))
        try group.close()
      }
    }

    @Test func `a folder that a group had before is free for a persistence of its own`()
      async throws
    {
      try await withFolder { parent in
        let inner = parent.appending(path: "own")
        let group = try Use(.group, parent)
        try await group.keep(7)
        try await group.end()
        // The folder of one store, and the folder of the group at the same time.
        let (disk, above) = (try Use(.persistence, inner), try Use(.persistence, parent))
        #expect(disk.cards == 7)
        try await above.keep(8)
        try await disk.keep(9)
        try await disk.end()
        try await above.end()
        let again = try Use(.group, parent)
        #expect(again.cards == 9)
        try await again.end()
      }
    }

    @Test
    func `what is left of a removal that was interrupted goes when the group is opened again`()
      async throws
    {
      try await withFolder { parent in
        let left = parent.appending(path: ".removed-one")
        try manager.createDirectory(at: left, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: left.appending(path: "segment-1.lensed"))
        let group = try PersistenceGroup(in: parent)
        #expect(!manager.fileExists(atPath: left.path))
        try group.close()
      }
    }

    @Test func `a group is known by its lock, whatever a crash has left in that`() async throws {
      for text in ["", "gro", "group", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "group\n"] {
        try await withFolder { parent in
          try manager.createDirectory(at: parent, withIntermediateDirectories: true)
          try Data(text.utf8).write(to: parent.appending(path: "lock"))
          let group = try PersistenceGroup(in: parent)
          #expect("\(text.debugDescription)") {
            _ = try Use(.persistence, parent.appending(path: "one"))
          } throws: {
            "\($0)".contains("which a PersistenceGroup has")
          }
          try group.close()
        }
      }
      // What somebody else keeps in a file of that name stays.
      try await withFolder { parent in
        try manager.createDirectory(at: parent, withIntermediateDirectories: true)
        let lock = parent.appending(path: "lock")
        try Data("groupware".utf8).write(to: lock)
        try PersistenceGroup(in: parent).close()
        try await Use(.persistence, parent).end()
        #expect(try Data(contentsOf: lock) == Data("groupware".utf8))
      }
    }

    // MARK: Names that differ in case alone

    @Test func `names of a group that differ in case alone are two stores, or refused`()
      async throws
    {
      for foldsCase in [false, true] {
        try await withFolder { parent in
          try manager.createDirectory(at: parent, withIntermediateDirectories: true)
          try Data().write(to: parent.appending(path: "lock"))
          // As a file system shows it that does not tell them apart.
          if foldsCase {
            try manager.linkItem(
              at: parent.appending(path: "lock"), to: parent.appending(path: "LOCK"))
          }
          let group = try PersistenceGroup(in: parent)
          func open(_ name: String) throws -> Persistence<Board> {
            try group.persistence(named: name, writing: .eachCommit, onFailure: { _ in }) {
              for part in Board.kept() { part }
            }
          }
          let disk = try open("Doc-a")
          if foldsCase {
            for attempt in [{ _ = try open("doc-A") }, { try group.remove(named: "dOC-a") }] {
              #expect {
                try attempt()
              } throws: {
                "\($0)".contains("differ in case alone") && "\($0)".contains("Doc-a")
              }
            }
          } else {
            try await open("doc-A").close()
            #expect(try group.names() == ["Doc-a", "doc-A"])
          }
          try await disk.close()
          try await open("Doc-a").close()
          try group.close()
        }
      }
    }

    @Test func `two names never have one folder, whatever the file system takes for one`() {
      let names = ["a", "A", "aB", "Ab", "AB", "ab", "a-1", "A-1", "a.b"]
      for foldsCase in [false, true] {
        for seed in 0..<UInt64(200) {
          var generator = SeededGenerator(seed: seed)
          var taken = GroupNames(foldsCase: foldsCase)
          // The folders that are there, and who is in each.
          var (folders, users) = ([String](), [String: String]())
          func folder(_ name: String) -> String? {
            folders.first { $0 == name || foldsCase && $0.lowercased() == name.lowercased() }
          }
          for _ in 0..<40 {
            let name = names.randomElement(using: &generator) ?? "a"
            if users.values.contains(name) && Bool.random(using: &generator) {
              taken.release(name)
              users = users.filter { $0.value != name }
              continue
            }
            let answer = taken.take(name) { folder(name) == nil ? [] : folders }
            switch answer {
            case .free:
              let place = folder(name) ?? name
              #expect(place == name && users[place] == nil, "\(name), seed \(seed)")
              if folder(name) == nil { folders.append(name) }
              users[place] = name
            case .inUse: #expect(users[name] == name, "\(name), seed \(seed)")
            case .like(let other):
              #expect(foldsCase && other != name && folder(name) == other, "\(name), seed \(seed)")
            }
          }
          if !foldsCase { #expect(folders.count > 4) }
        }
      }
    }
  }
#endif
