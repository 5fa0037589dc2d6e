import Foundation
import Testing

/// The laws of the standard library's protocols, for values of any type.
enum Laws {
  /// Equality is reflexive, symmetric and transitive; equal values have equal hashes, alone and as
  /// `AnyHashable`.
  ///
  /// The values are in groups: those of one group are equal, those of two are not.
  static func hold<Value: Hashable>(
    _ groups: [[Value]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    equality(groups, sourceLocation: sourceLocation)
    for group in groups {
      #expect(Set(group).count == 1, sourceLocation: sourceLocation)
      #expect(Set(group.map { AnyHashable($0) }).count == 1, sourceLocation: sourceLocation)
    }
    #expect(Set(groups.joined()).count == groups.count, sourceLocation: sourceLocation)
    // Other types of one family are put into one dictionary too.
    #expect(
      Set(groups.joined().map { AnyHashable($0) }).count == groups.count,
      sourceLocation: sourceLocation)
  }

  static func equality<Value: Equatable>(
    _ groups: [[Value]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (first, group) in groups.enumerated() {
      for (second, others) in groups.enumerated() {
        for one in group {
          for other in others {
            #expect((one == other) == (first == second), sourceLocation: sourceLocation)
            #expect((other == one) == (one == other), sourceLocation: sourceLocation)
          }
        }
      }
    }
  }

  /// What was written is what is read, through two formats.
  static func roundTrip<Value: Codable & Equatable>(
    _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let json = try JSONDecoder().decode([Value].self, from: JSONEncoder().encode(values))
    #expect(json == values, sourceLocation: sourceLocation)
    let list = try PropertyListDecoder().decode(
      [Value].self, from: PropertyListEncoder().encode(values))
    #expect(list == values, sourceLocation: sourceLocation)
  }
}
