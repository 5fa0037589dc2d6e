internal import Foundation
public import Lensed

extension JournalCoder {
  /// Writes the values of a journal as JSON, by Foundation.
  public static var json: JournalCoder {
    JournalCoder(
      encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
      decode: { type, text in try JSONDecoder().decode(type, from: Data(text.utf8)) })
  }
}
