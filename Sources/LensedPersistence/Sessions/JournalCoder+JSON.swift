internal import Foundation
public import Lensed

extension JournalCoder {
  /// Writes the values of sessions and journals as JSON, by Foundation; numbers that JSON lacks as `"inf"`, `"-inf"` and `"nan"`.
  public static var json: JournalCoder {
    JournalCoder(
      json: { value in
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      },
      decode: { type, text in
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: Data(text.utf8))
      })
  }
}
