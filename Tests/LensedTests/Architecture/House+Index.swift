import Foundation

/// The reading of a house by the compiler's index.
///
/// A file leans on the file that defines a symbol it refers to, members of extensions included.
extension House {
  /// What a file defines and refers to: symbols by their unique ids, references with their names.
  struct Symbols {
    var definitions: Set<String> = []
    var references: [String: String] = [:]
  }

  /// A house as the symbols of its files show it.
  init(symbols: [String: Symbols]) {
    var homes: [String: String] = [:]
    for path in symbols.keys.sorted() {
      for id in symbols[path]?.definitions ?? [] where homes[id] == nil { homes[id] = path }
    }
    var files: Leanings = [:]
    for (path, own) in symbols {
      for (id, name) in own.references {
        guard let home = homes[id], home != path else { continue }
        files[path, default: [:]][home, default: []].insert(name)
      }
    }
    self.init(paths: symbols.keys, files: files)
  }

  /// The house below a folder as the compiler saw it.
  ///
  /// - Returns: nil where there is no index, or one that is older than a file.
  static func indexed(_ sources: [File], below root: URL, package: URL) throws -> House? {
    for folder in indexFolders(package: package) {
      guard let store = IndexStore(at: folder) else { continue }
      let units = try store.newestUnits(below: root.path)
      var symbols: [String: Symbols] = [:]
      for file in sources {
        let source = root.appending(path: file.path)
        let edited = try source.resourceValues(forKeys: [.contentModificationDateKey])
        guard let unit = units[source.path],
          let date = edited.contentModificationDate, date <= unit.compiled
        else { break }
        symbols[file.path] = store.symbols(in: unit)
      }
      if symbols.count == sources.count { return House(symbols: symbols) }
    }
    return nil
  }

  /// The folders with an index: first that of the build that these tests belong to, then that of the
  /// package's debug build.
  private static func indexFolders(package: URL) -> [URL] {
    #if TSAN || ASAN
      // A sanitizer would watch the library that reads the index, too.
      return []
    #else
      let starts = SwiftCompiler.placesOfTests
      var folders: [URL] = []
      for start in starts {
        var folder = URL(filePath: start).standardizedFileURL
        while folder.pathComponents.count > 1 {
          folder.deleteLastPathComponent()
          folders.append(folder.appending(path: "index/store"))
        }
      }
      folders.append(package.appending(path: ".build/debug/index/store"))
      return folders.filter { FileManager.default.fileExists(atPath: $0.path) }
    #endif
  }
}

extension IndexStore {
  fileprivate func symbols(in unit: Unit) -> House.Symbols {
    var symbols = House.Symbols()
    for occurrence in occurrences(in: unit) {
      if occurrence.isDefinition {
        symbols.definitions.insert(occurrence.id)
      } else if occurrence.isReference {
        symbols.references[occurrence.id] = occurrence.name
      }
    }
    return symbols
  }
}
