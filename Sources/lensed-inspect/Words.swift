import Foundation
import Lensed
import LensedPersistence

/// What a record of a session is called on a line of text, and what of it a terminal must not obey.
enum Words {
  /// The value of an action as its type is written in Swift: `TodoAction.add(id: 1)`, `Archived(ids: [1])`.
  static func action(_ action: JSONText) -> String {
    let name = action["name"]?.string ?? action["type"]?.string ?? "?"
    if action["hidden"]?.bool == true { return name }
    guard let value = action["value"] else {
      // What has no JSON stands there as it prints, a struct with its name.
      let text = action["text"]?.string ?? ""
      if text.isEmpty { return name }
      return short(text.hasPrefix(name) ? text : "\(name).\(text)")
    }
    guard let members = value.members else { return short("\(name) \(value.text)") }
    if members.count == 1, let values = members[0].value.members {
      return short("\(name).\(members[0].key)\(list(values, isCase: true))")
    }
    return short("\(name)\(list(members, isCase: false))")
  }

  private static func list(_ members: [JSONText.Member], isCase: Bool) -> String {
    if members.isEmpty { return "" }
    let texts = members.map { member -> String in
      let isLabelled = !isCase || member.key.wholeMatch(of: /_\d+/) == nil
      return isLabelled ? "\(member.key): \(member.value.text)" : member.value.text
    }
    return "(\(texts.joined(separator: ", ")))"
  }

  static func short(_ text: String) -> String {
    text.count > 120 ? text.prefix(119) + "…" : text
  }

  static func names(_ record: JSONText, asCode: Bool = false) -> String {
    let actions = record["actions"]?.list ?? []
    if !actions.isEmpty {
      return actions.map { asCode ? "\(code: action($0))" : action($0) }.joined(separator: ", ")
    }
    switch record["cause"]?.string {
    case "replacement": return "state replaced"
    case "asyncResult": return "the outcome of an asynchronous reducer"
    case "placeholder": return "the placeholder of an asynchronous reducer"
    case let cause: return cause ?? ""
    }
  }

  static func origin(_ record: JSONText) -> String {
    if let effect = record["effect"]?.string { return "effect \(effect)" }
    let cause = record["cause"]?.string ?? ""
    return record["origin"]?.string ?? (cause == "action" ? "dispatch" : cause)
  }

  /// A commit of a chain of causes: what it was, what made it, and where.
  static func sentence(_ record: JSONText) -> String {
    let site = record["site"]?.string
    let what = names(record, asCode: true)
    if let effect = record["effect"]?.string {
      return "\(what) by the effect \(effect)"
        + (site.map { effect.contains($0) ? "" : " (\($0))" } ?? "")
    }
    if record["cause"]?.string != "action" { return what + (site.map { " at \($0)" } ?? "") }
    let isSequence = record["origin"]?.string == "sequence"
    return what + (isSequence ? " of a sequence" : "") + (site.map { " dispatched at \($0)" } ?? "")
  }

  /// Whether a terminal obeys it, as a control character, or it hides what stands there, as an order of writing.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// A line of which nothing is obeyed.
  static func plain(_ text: String) -> String {
    String(text.unicodeScalars.map { isObeyed($0) ? "\u{FFFD}" : Character($0) })
  }

  /// JSON on lines, of which nothing is obeyed: in its strings, where alone such characters are, stand escapes.
  static func pretty(_ json: JSONText) -> String {
    var text = ""
    for scalar in json.pretty().unicodeScalars {
      if scalar == "\n" || !isObeyed(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in UTF16.encode(scalar) ?? .init() { text += String(format: "\\u%04x", unit) }
      }
    }
    return text
  }
}
