import Foundation
import Lensed

extension ActionRegistry {
  /// The actions of this program, by the names that they have in a recording for ever.
  static let pulse = pulse { _ in }

  /// The same, with a look at each value that is read.
  static func pulse(
    checking check: @escaping @Sendable (any Decodable) throws -> Void
  ) -> ActionRegistry {
    RecordedAction.all.reduce(ActionRegistry(RecordedAction.coder(checking: check))) {
      $0.adding($1.type, named: $1.name)
    }
  }
}

/// A type of action, and the name that stands for it.
struct RecordedAction: Sendable {
  let type: any (Action & Codable).Type
  let name: String

  static let all = [
    RecordedAction(type: Opened.self, name: "opened"),
    RecordedAction(type: CommitAction.self, name: "commit"),
    RecordedAction(type: FileAction.self, name: "file"),
    RecordedAction(type: ElementAction<ByteString, AuthorAction>.self, name: "share"),
    RecordedAction(type: Follow.self, name: "follow"),
    RecordedAction(type: StartOver.self, name: "start over"),
  ]

  private static let names = Dictionary(
    uniqueKeysWithValues: all.map { (ObjectIdentifier($0.type), $0.name) })

  /// Nil for an action that no recording holds.
  static func name(of action: any Action) -> String? {
    names[ObjectIdentifier(Swift.type(of: action))]
  }

  /// With sorted keys, so that the same run gives the same file.
  static func text(of value: any Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static let encoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  fileprivate static func coder(
    checking check: @escaping @Sendable (any Decodable) throws -> Void
  ) -> JournalCoder {
    let decoder = JSONDecoder()
    return JournalCoder(encode: text) { type, text in
      let value = try decoder.decode(type, from: Data(text.utf8))
      try check(value)
      return value
    }
  }
}
