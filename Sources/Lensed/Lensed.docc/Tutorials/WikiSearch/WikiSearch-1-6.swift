import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Encyclopedia {
  static let wikipedia = Encyclopedia { query in
    let address =
      "https://en.wikipedia.org/w/api.php"
      + "?action=opensearch&format=json"
    guard
      let url = URL(string: address)?.appending(queryItems: [
        URLQueryItem(name: "search", value: query)
      ])
    else { throw URLError(.badURL) }
    let (data, _) = try await URLSession.shared.data(from: url)
    return try JSONDecoder().decode(Answer.self, from: data).titles
  }
}

/// What Wikipedia sends: the query, then the titles it found.
struct Answer: Decodable {
  let titles: [String]

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    _ = try list.decode(String.self)
    titles = try list.decode([String].self)
  }
}
