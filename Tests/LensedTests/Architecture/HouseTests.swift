import LensedTestSupport
import Testing

@Suite("Architecture: the checker finds what is planted")
struct HouseTests {
  private static let sound = [
    House.File(path: "Ground/Brick.swift", text: "struct Brick {}\n"),
    House.File(path: "Middle/Wall.swift", text: "struct Wall {\n  let bricks: [Brick]\n}\n"),
    House.File(path: "Middle/Arch.swift", text: "final class Arch {\n  var wall: Wall?\n}\n"),
    House.File(path: "Top/Roof.swift", text: "public enum Roof {\n  case on(Arch, Brick)\n}\n"),
  ]
  private static let order = ["Ground", "Middle", "Top"]

  @Test func `a sound house has no arrow up and no circle`() {
    let house = House(Self.sound)
    #expect(house.arrowsUp(order: Self.order).isEmpty)
    #expect(house.roomCircles.isEmpty)
    #expect(house.fileCircles.isEmpty)
    #expect(house.roomNames == ["Ground", "Middle", "Top"])
    #expect(house.rooms["Top"] == ["Middle": ["Arch"], "Ground": ["Brick"]])
  }

  @Test func `an arrow up is found, with the names it hangs on`() {
    let upward = House.File(path: "Ground/Mortar.swift", text: "let x: (Roof, Wall)\n")
    let complaints = House(Self.sound + [upward]).arrowsUp(order: Self.order)
    #expect(complaints.map(\.about) == [["Ground", "Middle"], ["Ground", "Top"]])
    #expect(
      complaints.map(\.sentence) == [
        "Ground leans on Middle, which stands above it: Wall.",
        "Ground leans on Top, which stands above it: Roof.",
      ])
  }

  @Test func `a circle between folders is found, though no two files form one`() {
    let house = House([
      House.File(path: "A/One.swift", text: "struct One { var two: Two }\n"),
      House.File(path: "B/Two.swift", text: "struct Two {}\n"),
      House.File(path: "B/Three.swift", text: "struct Three { var four: Four }\n"),
      House.File(path: "A/Four.swift", text: "struct Four {}\n"),
    ])
    #expect(
      house.roomCircles.map(\.sentence)
        == ["The folders A, B form a circle. A -> B: Two; B -> A: Four."])
    #expect(house.fileCircles.isEmpty)
  }

  @Test func `circles between files are found, short ones and long ones`() {
    let house = House([
      House.File(path: "A/One.swift", text: "struct One { var two: Two }\n"),
      House.File(path: "A/Two.swift", text: "struct Two { var three: Three }\n"),
      House.File(path: "A/Three.swift", text: "struct Three { var one: [One] }\n"),
      House.File(path: "B/Left.swift", text: "protocol Left { var right: Right { get } }\n"),
      House.File(path: "B/Right.swift", text: "actor Right { var left: (any Left)? }\n"),
      House.File(path: "B/Looker.swift", text: "typealias Looker = (One, Left)\n"),
    ])
    #expect(
      house.fileCircles.map(\.about) == [
        ["A/One.swift", "A/Three.swift", "A/Two.swift"], ["B/Left.swift", "B/Right.swift"],
      ])
    #expect(house.roomCircles.isEmpty)
  }

  @Test func `extensions that call each other's members form a circle in the index`() {
    // The compiler's names, shortened: each file calls a method that an extension in the other adds.
    let house = House(symbols: [
      "Store/Core.swift": House.Symbols(definitions: ["core"]),
      "Store/Core+Lists.swift": House.Symbols(
        definitions: ["flatten"], references: ["core": "Core", "begin": "begin()"]),
      "Work/Core+Tasks.swift": House.Symbols(
        definitions: ["begin"],
        references: ["core": "Core", "flatten": "flatten(_:)", "print": "print(_:)"]),
    ])
    #expect(
      house.fileCircles.map(\.sentence) == [
        "The files Store/Core+Lists.swift, Work/Core+Tasks.swift form a circle. "
          + "Store/Core+Lists.swift -> Work/Core+Tasks.swift: begin(); "
          + "Work/Core+Tasks.swift -> Store/Core+Lists.swift: flatten(_:)."
      ])
    #expect(house.roomCircles.map(\.about) == [["Store", "Work"]])
    #expect(house.arrowsUp(order: ["Work", "Store"]).map(\.about) == [["Work", "Store"]])
    #expect(house.arrowsUp(order: ["Store", "Work"]).map(\.about) == [["Store", "Work"]])
  }

  @Test func `a sound house in the index has no complaint`() {
    let house = House(symbols: [
      "Ground/Brick.swift": House.Symbols(definitions: ["brick"]),
      "Top/Roof.swift": House.Symbols(
        definitions: ["roof"], references: ["brick": "Brick", "roof": "Roof"]),
    ])
    #expect(house.files == ["Top/Roof.swift": ["Ground/Brick.swift": ["Brick"]]])
    #expect(house.arrowsUp(order: Self.order).isEmpty)
    #expect(house.fileCircles.isEmpty && house.roomCircles.isEmpty)
  }

  private static func roomFile(_ room: String, _ uses: String) -> House.RoomFile? {
    let text =
      "// The room `\(room)`.\n//\n// What stands\n// there.\n//\n// It may use: \(uses).\n//\n// More.\n"
    return House.RoomFile(House.File(path: House.RoomFile.path(of: room), text: text))
  }

  @Test func `a folder that leans on one which its file does not allow is found`() throws {
    let files = try ["Ground": "Nothing", "Middle": "Ground", "Top": "Middle"].map {
      try #require(Self.roomFile($0.key, $0.value))
    }
    let complaints = House(Self.sound).arrowsBeyond(House.allowed(by: files))
    #expect(
      complaints.map(\.sentence) == [
        "Top leans on Ground, which Top/TopRoom.swift does not allow: Brick."
      ])
  }

  @Test func `what a file allows is read as it is written`() throws {
    let sentences = [
      "A": "Nothing", "B": "A", "C": "A", "D": "B, C and below", "E": "D", "F": "D and below, E",
      "G": "F and below",
    ]
    let files = try sentences.map { try #require(Self.roomFile($0.key, $0.value)) }
    #expect(
      House.allowed(by: files) == [
        "A": [], "B": ["A"], "C": ["A"], "D": ["A", "B", "C"], "E": ["D"],
        "F": ["A", "B", "C", "D", "E"], "G": ["A", "B", "C", "D", "E", "F"],
      ])
  }

  @Test(arguments: [
    "" as OneLine, "struct Wall {}\n",
    "// The room `Top`.\n//\n// All.\n//\n// It may use: Nothing.\n",
    "// The room `Wall`.\n//\n// It may use: Nothing.\n", "// The room `Wall`.\n//\n// All.\n",
  ])
  func `a file that does not say what its folder is and may use is none to open with`(
    _ text: OneLine
  ) {
    let file = House.File(path: "Wall/WallRoom.swift", text: text.text)
    #expect(House.RoomFile(file) == nil)
    #expect(Self.roomFile("Wall", "Brick")?.purpose == "What stands there.")
  }

  @Test func `a file over the limit is found, one at the limit is not`() {
    let files = [
      House.File(path: "A/Long.swift", text: "a\nb\nc\n"),
      House.File(path: "A/Short.swift", text: "a\nb\n"),
    ]
    #expect(
      House.bigFiles(files, limit: 2).map(\.sentence) == ["A/Long.swift has 3 lines, over 2."])
  }

  @Test func `a type of one's own hides another's of the same name`() {
    let house = House([
      House.File(path: "A/One.swift", text: "private struct Timer {}\nstruct One {}\n"),
      House.File(path: "B/Two.swift", text: "private struct Timer {}\nlet timer = Timer()\n"),
    ])
    #expect(house.files == [:])
  }

  @Test func `only types at the top level are declarations`() {
    let code = """
      @frozen public struct Frozen<Value>: Sendable {
        struct Inner {}
      }
      extension Frozen { struct Other {} }
      indirect enum Tree { case leaf }
      public protocol Shape<Side>: AnyObject {}
      import struct Swift.Array
      let classy = 1
      typealias Name = String
      """
    #expect(House.declarations(in: code) == ["Frozen", "Tree", "Shape", "Name"])
  }
}

@Suite("Architecture: comments and strings are no code")
struct SourceTextTests {
  @Test(
    arguments: [
      ("a // Roof\nb", "a \nb"),
      ("a /* Roof /* Wall */ Roof */ b", "a   b"),
      ("a \"Roof\" b", "a \"\" b"),
      ("a \"Ro\\\"of\" b", "a \"\" b"),
      ("a \"\\(Roof.self) Wall\" b", "a \" Roof.self \" b"),
      ("a \"\\(f(\"Roof\", (1))) Wall\" b", "a \" f(\"\", (1)) \" b"),
      ("a #\"Roof \\(Wall) \"Arch\" \"# b", "a \"\" b"),
      ("a #\"Roof \\#(Wall)\"# b", "a \" Wall \" b"),
      ("a \"\"\"\n  Roof \"Wall\"\n  \\(Arch)\n  \"\"\" b", "a \"\n\n Arch \n\" b"),
      ("a \"// Roof\" b", "a \"\" b"),
      ("a // \"\nb", "a \nb"),
      ("a \"\" b", "a \"\" b"),
    ] as [(OneLine, OneLine)])
  func `they are taken out, but for what is interpolated`(_ text: OneLine, _ code: OneLine) {
    #expect(SourceText.code(in: text.text) == code.text)
  }
}
