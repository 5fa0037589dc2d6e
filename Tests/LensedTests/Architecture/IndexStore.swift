import Foundation

/// The compiler's index, read through the toolchain's own library, which the process loads.
///
/// The index holds a unit for each compiled file. The unit names the record of that file, and the
/// record lists every symbol that the file defines or refers to.
@safe
struct IndexStore {
  /// A symbol where it occurs in a file.
  struct Occurrence {
    /// The compiler's unique name of the symbol.
    let id: String
    let name: String
    let isDefinition: Bool
    let isReference: Bool
  }

  /// The unit of a source file, by its name in the index.
  struct Unit {
    let source: String
    let record: String
    let compiled: Date
  }

  private let library: Library
  private let store: UnsafeMutableRawPointer
  private let units: URL

  /// Opens the index in a folder; nil where there is no library to read it with.
  init?(at folder: URL) {
    guard let library = Library(), let store = unsafe library.openStore(folder.path, nil) else {
      return nil
    }
    self.library = library
    unsafe self.store = unsafe store
    units = folder.appending(path: "v5/units")
  }

  /// The newest unit of each file below a folder, by the path of the file.
  func newestUnits(below folder: String) throws -> [String: Unit] {
    var newest: [String: Unit] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: units.path) {
      let file = units.appending(path: name)
      let compiled = try file.resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
      guard let unit = unit(named: name, compiled: compiled ?? .distantPast),
        unit.source.hasPrefix(folder + "/")
      else { continue }
      if let other = newest[unit.source], other.compiled >= unit.compiled { continue }
      newest[unit.source] = unit
    }
    return newest
  }

  /// The symbols in the record of a file.
  func occurrences(in unit: Unit) -> [Occurrence] {
    guard let reader = unsafe library.openRecord(store, unit.record, nil) else { return [] }
    defer { unsafe library.closeRecord(reader) }
    let found = Found<Occurrence>(library)
    _ = unsafe library.eachOccurrence(reader, found.pointer) { found, occurrence in
      let found = unsafe Found<Occurrence>.at(found)
      let (library, symbol) = unsafe (found.library, found.library.symbol(occurrence))
      let roles = unsafe library.roles(occurrence)
      found.values.append(
        Occurrence(
          id: unsafe Library.string(library.symbolID(symbol)),
          name: unsafe Library.string(library.symbolName(symbol)),
          isDefinition: roles & 2 != 0, isReference: roles & 4 != 0))
      return true
    }
    return found.values
  }

  private func unit(named name: String, compiled: Date) -> Unit? {
    guard let reader = unsafe library.openUnit(store, name, nil) else { return nil }
    defer { unsafe library.closeUnit(reader) }
    let source = Self.realPath(unsafe Library.string(library.mainFile(reader)))
    let found = Found<(path: String, record: String)>(library)
    _ = unsafe library.eachDependency(reader, found.pointer) { found, dependency in
      let found = unsafe Found<(path: String, record: String)>.at(found)
      let library = found.library
      // Kind 2 is a record.
      if unsafe library.dependencyKind(dependency) == 2 {
        let path = unsafe Library.string(library.dependencyPath(dependency))
        found.values.append((path, unsafe Library.string(library.dependencyName(dependency))))
      }
      return true
    }
    let own = found.values.first { Self.realPath($0.path) == source }
    return own.map { Unit(source: source, record: $0.record, compiled: compiled) }
  }

  private static func realPath(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  /// What the library's loops append to, since a C function captures nothing.
  private final class Found<Value> {
    let library: Library
    var values: [Value] = []

    init(_ library: Library) {
      self.library = library
    }

    var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ pointer: UnsafeMutableRawPointer) -> Found {
      unsafe Unmanaged<Found>.fromOpaque(pointer).takeUnretainedValue()
    }
  }
}
