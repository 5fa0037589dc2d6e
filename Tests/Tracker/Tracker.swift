import Foundation
import Lensed
import LensedPersistence
import LensedServer

// Boards of cards behind HTTP: what a client has been answered is on the disk, whenever the process is killed.

struct Tracker: Sendable, Equatable {
  struct Board: Codable, Sendable, Equatable, Identifiable { let id: String, name: String }
  struct Card: Codable, Sendable, Equatable, Identifiable {
    let id: Int
    var board: String
    var moves = 0
  }
  var boards = Entities<Board>()
  var cards = Entities<Card>()
}

struct AddBoard: Action, Codable { let id: String, name: String }
struct Fill: Action, Codable { let board: String, cards: Int }
struct Move: Action, Codable { let card: Int, board: String }

@main enum Command {
  static func main() async throws {
    let folder = URL(filePath: CommandLine.arguments[1])
    let disk = try Persistence<Tracker>(in: folder, writing: .eachCommit) {
      KeptRows(\.boards)
      KeptRows(\.cards)
    }
    let store = try Store(initialState: Tracker(), middleware: [disk]) {
      Mutator(\.boards) { (boards: inout Entities<Tracker.Board>, action: AddBoard) in
        boards.append(Tracker.Board(id: action.id, name: action.name))
      }
      Mutator(\.cards) { (cards: inout Entities<Tracker.Card>, action: Move) in
        cards[id: action.card]?.board = action.board
        cards[id: action.card]?.moves += 1
      }
      .on(Fill.self) { cards, action in
        for id in 0..<action.cards { cards.append(Tracker.Card(id: id, board: action.board)) }
      }
    }
    let server = try Server { request, _ in
      func action<Kind: Action & Decodable>(_ type: Kind.Type) throws -> Kind {
        try JSONDecoder().decode(type, from: Data(request.body))
      }
      switch (request.method, request.path.first ?? "") {
      case ("POST", "boards"): store.dispatch(try action(AddBoard.self))
      case ("POST", "fill"): store.dispatch(try action(Fill.self))
      case ("POST", "moves"): store.dispatch(try action(Move.self))
      case ("GET", "cards"): return .response(try Response(Array(store.cards)))
      default: throw Refusal(.notFound, "There is nothing at this path.")
      }
      try await disk.sync()
      return .response(Response(.ok, text: "Kept."))
    }
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    try await server.run()
  }
}
