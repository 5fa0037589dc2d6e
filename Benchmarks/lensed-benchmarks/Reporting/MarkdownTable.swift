/// A table of a Markdown document.
struct MarkdownTable {
  let heading: [String]
  let rows: [[String]]

  init(_ heading: [String], _ rows: [[String]]) {
    (self.heading, self.rows) = (heading, rows)
  }

  var text: String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rule = "|" + String(repeating: "---|", count: heading.count)
    return ([line(heading), rule] + rows.map(line)).joined(separator: "\n")
  }
}
