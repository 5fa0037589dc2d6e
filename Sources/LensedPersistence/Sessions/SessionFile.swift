package import Foundation

// A session's file, read without the app's types: record by record, and the state after each.

/// Reads the records of a session one after another, with the memory of one.
package struct SessionFile {
  package let head: JSONText
  package let name: String
  private var reader: RecordReader

  package init(_ url: URL) throws(SessionError) {
    name = url.lastPathComponent
    do throws(DiskFault) {
      reader = try RecordReader(url)
    } catch {
      throw .unreadable(file: name, reason: error.text)
    }
    let first: JSONText?
    do throws(SessionError) {
      first = try Self.record(&reader, name)
    } catch {
      // A file whose first line is no record is none of ours, whatever else is in it.
      if case .unreadable = error { throw error }
      throw .noSession(file: name)
    }
    guard let first, first["record"]?.string == "head", let format = first["format"]?.int
    else { throw .noSession(file: name) }
    if format != 1 { throw .unknownFormat(file: name, format: format) }
    head = first
  }

  /// Where the file was cut off, once `next` has returned nil; nil where it is whole.
  package var tornAt: UInt64? { reader.tornAt }
  package var offset: UInt64 { reader.offset }

  package mutating func next() throws(SessionError) -> JSONText? {
    try Self.record(&reader, name)
  }

  private static func record(
    _ reader: inout RecordReader, _ name: String
  ) throws(SessionError) -> JSONText? {
    var start: UInt64 = 0
    do {
      guard let record = try reader.next() else { return nil }
      start = record.offset
      return try JSONText(parsing: record.json)
    } catch let fault as JSONText.Fault {
      throw .damaged(file: name, byte: start, problem: "The record there is no JSON: \(fault).")
    } catch let damage as RecordDamage {
      throw .damaged(file: name, byte: damage.byte, problem: damage.problem)
    } catch {
      throw .unreadable(file: name, reason: (error as? DiskFault)?.text ?? "\(error)")
    }
  }
}

/// The state of a session, part by part, as JSON.
package struct SessionState {
  /// The values by the names of the parts, in the order of the head.
  package private(set) var parts: [(name: String, value: JSONText)] = []
  /// The ids of the rows, by the names of the parts.
  package private(set) var ids: [String: [String]] = [:]

  package init() {}

  init(parts: [(name: String, value: JSONText)], ids: [String: [String]]) {
    (self.parts, self.ids) = (parts, ids)
  }

  /// The value of a part; nil where there is no such part.
  package subscript(name: String) -> JSONText? {
    parts.first { $0.name == name }?.value
  }

  /// The whole: an object of the parts, or the one value of a state without parts.
  package var whole: JSONText {
    if parts.count == 1, parts[0].name.isEmpty { return parts[0].value }
    return .object(parts.map { JSONText.Member($0.name, $0.value) })
  }

  /// A value within the state: `profile.name`, `rows[3]`, `rows[#7]` by id; nil where there is none.
  package func value(at path: String) -> JSONText? {
    if path.isEmpty { return whole }
    guard let name = name(in: path), var value = self[name] ?? whole[name] else { return nil }
    var rest = path.dropFirst(name.count)
    if rest.hasPrefix("[#") {
      // An id, such as that of a file, may have a `]` in it: it ends where the text so far is an id.
      let ids = ids[name] ?? []
      let start = rest.index(rest.startIndex, offsetBy: 2)
      let ends = rest.indices.filter { rest[$0] == "]" }
      let found = ends.lazy.compactMap { end -> (row: Int, end: String.Index)? in
        // Of rows with equal ids, as those have that no text is to show, none is meant.
        let id = String(rest[start..<end])
        return ids.firstIndex(of: id).flatMap { row in
          ids.lastIndex(of: id) == row ? (row: row, end: end) : nil
        }
      }
      guard let (row, end) = found.first, let list = value.list, row < list.count else {
        return nil
      }
      value = list[row]
      rest = rest[rest.index(after: end)...]
    }
    for step in rest.split(whereSeparator: { $0 == "." || $0 == "[" || $0 == "]" }).map(String.init)
    {
      if let position = Int(step), let list = value.list {
        guard list.indices.contains(position) else { return nil }
        value = list[position]
      } else if let member = value[step] {
        value = member
      } else {
        return nil
      }
    }
    return value
  }

  /// The longest name of a part that a path begins with; of a state without parts, that of a member.
  private func name(in path: String) -> String? {
    let names = parts.map(\.name) + (self[""]?.members ?? []).map(\.key)
    return names.filter { name in
      path == name || path.hasPrefix("\(name).") || path.hasPrefix("\(name)[")
    }.max { $0.count < $1.count }
  }

  /// Goes on with a record: a snapshot, or what a commit changed.
  ///
  /// - Returns: Whether the record fits; one that does not changes nothing.
  package mutating func apply(_ record: JSONText) -> Bool {
    switch record["record"]?.string {
    case "snapshot":
      guard let members = record["parts"]?.members else { return false }
      parts = members.map { ($0.key, $0.value) }
      ids = [:]
      for member in record["ids"]?.members ?? [] {
        ids[member.key] = member.value.list?.compactMap(\.string) ?? []
      }
      return true
    case "commit":
      let changes = record["changed"]?.members ?? []
      if !fit(changes) { return false }
      for change in changes { self.change(change.key, change.value) }
      return true
    default: return true
    }
  }

  /// Whether all of the changes fit, one after another: only then are they made, in place.
  private func fit(_ changes: [JSONText.Member]) -> Bool {
    // How many rows a part, and how many ids it has, by then.
    var counts: [String: (rows: Int?, ids: Int)] = [:]
    for change in changes {
      let (name, value) = (change.key, change.value)
      guard let part = self[name] else { return false }
      if let whole = value["to"] {
        counts[name] = (whole.list?.count, value["ids"]?.list?.compactMap(\.string).count ?? 0)
        continue
      }
      guard let splices = value["rows"]?.list,
        case (var rows?, let names) = counts[name] ?? (part.list?.count, ids[name]?.count ?? 0)
      else { return false }
      if !splices.isEmpty && names != rows { return false }
      for splice in splices {
        guard let splice = Splice(splice), splice.removed <= rows - splice.position else {
          return false
        }
        rows += splice.values.count - splice.removed
      }
      counts[name] = (rows, rows)
    }
    return true
  }

  private struct Splice {
    let position: Int
    let removed: Int
    let values: [JSONText]
    let ids: [JSONText]

    init?(_ json: JSONText) {
      guard let splice = json.list, splice.count == 4, let position = splice[0].int,
        let removed = splice[1].int, let values = splice[2].list, let ids = splice[3].list,
        position >= 0, removed >= 0, ids.count == values.count
      else { return nil }
      (self.position, self.removed, self.values, self.ids) = (position, removed, values, ids)
    }
  }

  private mutating func change(_ name: String, _ change: JSONText) {
    guard let index = parts.firstIndex(where: { $0.name == name }) else { return }
    if let value = change["to"] {
      parts[index].value = value
      ids[name] = change["ids"]?.list?.compactMap(\.string)
      return
    }
    guard let splices = change["rows"]?.list, case .list(var rows) = parts[index].value else {
      return
    }
    // Taken out, so that they are edited in place.
    parts[index].value = .null
    var names = ids.removeValue(forKey: name) ?? []
    for case let splice? in splices.map(Splice.init) {
      let range = splice.position..<splice.position + splice.removed
      rows.replaceSubrange(range, with: splice.values)
      names.replaceSubrange(range, with: splice.ids.map { $0.string ?? "" })
    }
    parts[index].value = .list(rows)
    ids[name] = names
  }
}

extension JSONText {
  /// The paths at which two values differ, with both values; one side is nil where nothing is there.
  package static func differences(
    from old: JSONText?, to new: JSONText?, at path: String = ""
  ) -> [(path: String, old: JSONText?, new: JSONText?)] {
    if old == new { return [] }
    switch (old, new) {
    case (.object(let before), .object(let after)):
      var keys = before.map(\.key)
      let known = Set(keys)
      keys += after.map(\.key).filter { !known.contains($0) }
      let (left, right) = (
        Dictionary(before.map { ($0.key, $0.value) }) { $1 },
        Dictionary(after.map { ($0.key, $0.value) }) { $1 }
      )
      return keys.flatMap { key in
        differences(from: left[key], to: right[key], at: path.isEmpty ? key : "\(path).\(key)")
      }
    case (.list(let before), .list(let after)):
      let (come, gone) = after.differing(from: before)
      if come == gone {
        return come.flatMap { index in
          differences(from: before[index], to: after[index], at: "\(path)[\(index)]")
        }
      }
      return gone.map { ("\(path)[\($0)]", before[$0], nil) }
        + come.map { ("\(path)[\($0)]", nil, after[$0]) }
    default: return [(path, old, new)]
    }
  }
}
