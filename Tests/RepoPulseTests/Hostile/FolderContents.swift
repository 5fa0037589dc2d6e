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

  /// Makes the same folders and files, with the same permissions, in a folder that is there.
  func write(to folder: String) throws {
    let files = FileManager.default
    // A folder stands before what is in it.
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) where name != "" {
      let path = "\(folder)/\(name)"
      if let bytes = entry.bytes {
        try bytes.write(to: URL(fileURLWithPath: path))
      } else {
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      if let permissions = entry.permissions {
        try files.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      }
    }
  }

  /// The names that are not in both, or are not the same in both.
  func difference(from other: FolderContents) -> [String] {
    Set(entries.keys).union(other.entries.keys)
      .filter { entries[$0] != other.entries[$0] }.sorted()
  }

  var description: String { entries.keys.sorted().joined(separator: "\n") }
}
