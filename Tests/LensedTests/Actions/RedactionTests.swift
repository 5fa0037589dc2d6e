import Lensed
import Testing

@Suite("What is not to be logged is found wherever it stands", .timeLimit(.minutes(30)))
struct RedactionTests {
  private struct Secret: NotLogged, Hashable { var text = "swordfish" }
  private struct Box<Value> { var value: Value }
  private struct Loose { var value: Any }
  private enum Choice { case none, plain(Int), secret(Int, Secret) }
  private final class Object {
    let secret: Any
    init(_ secret: Any) { self.secret = secret }
  }

  /// Values with a secret in them, each beside a value of the same type without one.
  private static var places: [(name: String, hiding: Any, plain: Any)] {
    [
      ("optional", (Secret() as Secret?) as Any, Secret?.none as Any),
      ("optional of an optional", (Secret() as Secret??) as Any, Secret??.none as Any),
      ("array", [Secret()], [Secret]()),
      ("array of arrays", [[], [Secret()]], [[Secret]]()),
      ("array of optionals", [nil, Secret()] as [Secret?], [nil] as [Secret?]),
      ("set", [Secret()] as Set, Set<Secret>()),
      ("key", [Secret(): 1], [Secret: Int]()),
      ("value", ["a": Secret()], [String: Secret]()),
      ("payload", Choice.secret(1, Secret()), Choice.plain(1)),
      ("payload in an array", [Choice.none, .secret(1, Secret())], [Choice.none, .plain(2)]),
      ("existential", Loose(value: Secret()), Loose(value: 1)),
      (
        "existential of an optional", Loose(value: (Secret() as Secret?) as Any),
        Loose(value: (1 as Int?) as Any)
      ),
      ("array of existentials", [1, Secret()] as [Any], [1, "a"] as [Any]),
      ("array of empty existentials", [nil, Secret()] as [Any?], [nil, 1] as [Any?]),
      ("dictionary of existentials", ["a": Secret()] as [String: Any], ["a": 1] as [String: Any]),
      ("generic struct", Box(value: Secret() as Secret?), Box(value: Secret?.none)),
      ("generic struct of an existential", Box(value: Secret() as Any), Box(value: 1 as Any)),
      ("tuple", (1, Secret() as Secret?), (1, Secret?.none)),
      ("tuple in an array", [(1, "a", Secret() as Any)], [(1, "a", 2 as Any)]),
      ("object", Object(Secret()), Object(1)),
    ]
  }

  @Test func `in every place, also where the same type was without it before`() {
    for _ in 1...2 {
      for place in Self.places {
        #expect(!Redaction.hides(place.plain), "\(place.name)")
        #expect(Redaction.hides(place.hiding), "\(place.name)")
        #expect(!Redaction.text(place.hiding).contains("swordfish"), "\(place.name)")
      }
    }
  }

  @Test func `what nests too deep to be seen counts as hidden, but not what has no depth`() {
    var value: Any = 1
    for _ in 0..<100 { value = Box(value: value) }
    #expect(Redaction.hides(value))
    #expect(!Redaction.hides([[[[["a": [1, 2]]]]]]))
  }
}
