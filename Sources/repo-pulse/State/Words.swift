import Lensed

/// The words that subjects are made of, in a vocabulary that stops growing.
enum Words {
  /// More words than this are too many, and the rarest are forgotten.
  static let limit = 16_384

  static let reducer = Reducer { (words: inout Entities<Tally<String>>, action: CommitAction) in
    for word in significant(in: action.subject) { words.tally(word) }
    if words.count > limit {
      let median = words.map(\.count).sorted(by: >)[limit / 2]
      words = words.filter { $0.count > median }
    }
  }

  private static func significant(in subject: String) -> [String] {
    subject.utf8.split(whereSeparator: \.endsWord).compactMap { bytes in
      guard bytes.count > 2, bytes.count < 40 else { return nil }
      let word = String(decoding: bytes, as: UTF8.self).lowercased()
      return word.first?.isLetter != true || common.contains(word) ? nil : word
    }
  }

  /// Words that say nothing about a repository.
  private static let common = Set(
    """
    about after all also and any are because been before but can does don for from had has have her his how into its \
    more not now off one only our out over should some such than that the their them then there these they this too use \
    via was were what when where which while will with without you your
    """.split(separator: " ").map(String.init))
}

extension UInt8 {
  /// True between words; bytes beyond ASCII belong to a word, whatever they spell.
  fileprivate var endsWord: Bool {
    self < 0x80 && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
}
