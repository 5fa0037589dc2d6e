import Foundation

/// All that is in a folder: names, kinds, permissions, times and bytes.
struct FolderContents: Equatable, CustomStringConvertible {
  /// One file, folder or link.
  struct Entry: Equatable {
    var kind: FileAttributeType?
    var permissions: Int?
    var modified: Date?
    var bytes: Data?
  }

  private(set) var entries: [String: Entry] = [:]

  init(of folder: String) throws {
    let files = FileManager.default
    for name in [""] + (try files.subpathsOfDirectory(atPath: folder)) {
      let path = "\(folder)/\(name)"
      let attributes = try files.attributesOfItem(atPath: path)
      let kind = attributes[.type] as? FileAttributeType
      entries[name] = Entry(
        kind: kind, permissions: attributes[.posixPermissions] as? Int,
        modified: attributes[.modificationDate] as? Date,
        bytes: kind == .typeRegular ? files.contents(atPath: path) : nil)
    }
  }

  /// The names that are not in both, or are not the same in both.
  func difference(from other: FolderContents) -> [String] {
    Set(entries.keys).union(other.entries.keys)
      .filter { entries[$0] != other.entries[$0] }.sorted()
  }

  var description: String { entries.keys.sorted().joined(separator: "\n") }
}
