import Foundation
import Lensed

extension ActionRegistry {
  /// The actions of this program, by the names that they have in a recording for ever.
  static let pulse = ActionRegistry(coder)
    .adding(Opened.self, named: "opened")
    .adding(CommitAction.self, named: "commit")
    .adding(FileAction.self, named: "file")
    .adding(ElementAction<String, AuthorAction>.self, named: "share")
    .adding(Follow.self, named: "follow")
    .adding(StartOver.self, named: "start over")

  /// With sorted keys, so that the same run gives the same file.
  private static let coder: JournalCoder = {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return JournalCoder(
      encode: { String(decoding: try encoder.encode($0), as: UTF8.self) },
      decode: { try decoder.decode($0, from: Data($1.utf8)) })
  }()
}
