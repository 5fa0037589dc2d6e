/// A table of text, with columns as wide as their longest cell.
struct TextTable {
  struct Column {
    let heading: String
    let isLeading: Bool

    static func leading(_ heading: String) -> Column { Column(heading: heading, isLeading: true) }
    static func trailing(_ heading: String) -> Column {
      Column(heading: heading, isLeading: false)
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ row: [String]) { rows.append(row) }

  var text: String {
    let lines = [columns.map(\.heading)] + rows
    let widths = columns.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      var line = ""
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        if column > 0 { line += "  " }
        line += columns[column].isLeading ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return ([line(lines[0]), rule] + rows.map(line)).joined(separator: "\n")
  }
}
