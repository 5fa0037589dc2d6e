internal import Foundation
internal import Lensed

/// A value that writes itself as Swift.
private protocol PastedValue {
  /// The expression; nil if it cannot be written.
  var pasted: String? { get }
}

/// Writes values as Swift expressions, to paste into a test.
///
/// Structs are written by their memberwise initializers, unless they are `SwiftExpressible`. Nil stands for what cannot
/// be written: objects, functions, property wrappers that do not show what they wrap, and what shows nothing of its parts.
enum PastedText {
  /// An action, in a list of any actions.
  static func action(_ action: any Action) -> String? {
    guard let text = value(action) else { return nil }
    return text == "[]" ? "\(TypeName.qualified(type(of: action)))()" : text
  }

  static func value(_ value: Any) -> String? {
    switch value {
    case let value as any PastedValue: return value.pasted
    case let value as any SwiftExpressible: return value.swiftExpression
    case is String, is Character: return String(reflecting: value)
    case is Bool, is any FixedWidthInteger: return "\(value)"
    case let type as any Any.Type: return "\(TypeName.qualified(type)).self"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    return switch mirror.displayStyle {
    case .optional: optional(mirror)
    case .tuple: arguments(mirror)
    case .collection, .set, .dictionary: collection(value, mirror)
    case .enum: enumCase(value, mirror)
    case .struct: structure(value, mirror)
    default: nil
    }
  }

  private static func optional(_ mirror: Mirror) -> String? {
    guard let wrapped = mirror.children.first?.value else { return "nil" }
    let text = value(wrapped)
    return text == "nil" ? ".some(nil)" : text
  }

  private static func collection(_ whole: Any, _ mirror: Mirror) -> String? {
    if mirror.displayStyle != .dictionary {
      guard whole is any ExpressibleByArrayLiteral else { return nil }
      return list(mirror.children.map(\.value)).map { "[\($0)]" }
    }
    if mirror.children.isEmpty { return "[:]" }
    let pairs = mirror.children.map { child -> String? in
      let pair = Mirror(reflecting: child.value).children.compactMap { value($0.value) }
      return pair.count == 2 ? pair.joined(separator: ": ") : nil
    }
    return pairs.contains(nil) ? nil : "[\(pairs.compactMap(\.self).joined(separator: ", "))]"
  }

  private static func enumCase(_ whole: Any, _ mirror: Mirror) -> String? {
    let type = TypeName.qualified(type(of: whole))
    if let (label, payload) = mirror.children.first {
      guard let label else { return nil }
      let inner = Mirror(reflecting: payload)
      // The fields of a tuple are the arguments; `Void` is one argument that has no fields.
      let isList = inner.displayStyle == .tuple && !inner.children.isEmpty
      let text = isList ? arguments(inner) : value(payload).map { "(\($0))" }
      return text.map { member(label, $0) }
    }
    if let raw = whole as? any RawRepresentable, let text = value(raw.rawValue) {
      return whole is any CustomStringConvertible ? "\(type)(rawValue: \(text))!" : caseName(whole)
    }
    return caseName(whole)

    func caseName(_ whole: Any) -> String? {
      // What it prints instead of its case says nothing.
      whole is any CustomStringConvertible || whole is any CustomDebugStringConvertible
        ? nil : member("\(whole)", "")
    }

    func member(_ label: String, _ payload: String) -> String {
      // After the name of the type, these would be the metatypes.
      if ["Type", "Protocol"].contains(label) { return "(.\(label)\(payload) as \(type))" }
      return "\(type).\(name(label))\(payload)"
    }
  }

  private static func structure(_ whole: Any, _ mirror: Mirror) -> String? {
    let isForeign = String(reflecting: type(of: whole)).contains(/^(?:Swift|Foundation\w*)\./)
    if isForeign || whole is any CustomReflectable { return nil }
    return arguments(mirror) { unwrapped($0, $1) }.map { TypeName.qualified(type(of: whole)) + $0 }
  }

  /// The property of a stored field, where a property wrapper lies in it: `_count` holds the wrapper of `count`.
  ///
  /// The initializer takes what is wrapped. That is a field of the wrapper called so, or the only one that it has; nil
  /// where neither shows it.
  private static func unwrapped(_ label: String, _ field: Any) -> (label: String, value: Any)? {
    let mirror = Mirror(reflecting: field)
    guard label.hasPrefix("_"), mirror.displayStyle == .struct, !(field is any PastedValue) else {
      return (label, field)
    }
    let wrapped =
      mirror.children.first { $0.label == "wrappedValue" }
      ?? (mirror.children.count == 1 ? mirror.children.first : nil)
    return wrapped.map { (String(label.dropFirst()), $0.value) }
  }

  private static func arguments(
    _ mirror: Mirror,
    _ property: (_ label: String, _ field: Any) -> (label: String, value: Any)? = { ($0, $1) }
  ) -> String? {
    let texts = mirror.children.map { child -> String? in
      guard let label = child.label, !label.hasPrefix(".") else { return value(child.value) }
      guard let property = property(label, child.value) else { return nil }
      return value(property.value).map { "\(name(property.label)): \($0)" }
    }
    return texts.contains(nil) ? nil : "(\(texts.compactMap(\.self).joined(separator: ", ")))"
  }

  fileprivate static func list(_ values: [Any]) -> String? {
    let texts = values.map { value($0) }
    return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ", ")
  }

  private static func name(_ label: String) -> String {
    let label = TypeName.source(label)
    let isPlain = label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain && !["init", "self", "inout"].contains(label) || label.hasPrefix("`")
      ? label : "`\(label)`"
  }
}

extension BinaryFloatingPoint {
  fileprivate var pasted: String? {
    if isNaN { return "\(Self.self).nan" }
    return isFinite ? "\(self)" : "\(self < 0 ? "-" : "")\(Self.self).infinity"
  }
}

extension Double: PastedValue {}
extension Float: PastedValue {}

extension Duration: PastedValue {
  fileprivate var pasted: String? {
    let (seconds, rest) = components
    if rest == 0 { return "Duration.seconds(\(seconds))" }
    return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(rest))"
  }
}

extension ClosedRange: PastedValue {
  fileprivate var pasted: String? {
    PastedText.list([lowerBound]).flatMap { lower in
      PastedText.list([upperBound]).map { "(\(lower))...(\($0))" }
    }
  }
}

extension Range: PastedValue {
  fileprivate var pasted: String? {
    PastedText.list([lowerBound]).flatMap { lower in
      PastedText.list([upperBound]).map { "(\(lower))..<(\($0))" }
    }
  }
}

extension UUID: PastedValue {
  fileprivate var pasted: String? { "UUID(uuidString: \"\(uuidString)\")!" }
}

extension URL: PastedValue {
  fileprivate var pasted: String? { "URL(string: \(String(reflecting: absoluteString)))!" }
}

extension Date: PastedValue {
  fileprivate var pasted: String? {
    "Date(timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate))"
  }
}

extension ActionList: PastedValue {
  fileprivate var pasted: String? {
    let texts = actions.map { PastedText.action($0) }
    if texts.contains(nil) { return nil }
    return "ActionList([\(texts.compactMap(\.self).joined(separator: ", "))])"
  }
}

extension ReplaceState: PastedValue {
  fileprivate var pasted: String? { PastedText.value(state).map { "ReplaceState(\($0))" } }
}

extension Tagged: PastedValue {
  fileprivate var pasted: String? {
    PastedText.action(action).map { "\(TypeName.qualified(Self.self))(\($0))" }
  }
}

// MARK: The names of types

/// The names of types.
enum TypeName {
  /// The name by which code of the type's module calls it.
  static func qualified(_ type: any Any.Type) -> String {
    let unknown = /\(unknown context at \$[0-9a-f]+\)\./
    let local = /(?:(?:\w+|`[^`]+`)\.)*(?:\(unknown context at \$[0-9a-f]+\)\.){2,}/
    let module = /(^|[<\(\[ ,])(?:\w+|`[^`]+`)\.(?!\.)/
    return source(String(reflecting: type)).replacing(/\(extension in \w+\):/, with: "")
      .replacing(local, with: "local.").replacing(unknown, with: "")
      .replacing(module) { $0.output.1 }
  }

  /// A name as the source has it: at run time, another character stands for a space in a raw identifier.
  static func source(_ name: String) -> String { name.replacing("\u{a0}", with: " ") }

  /// The short names of types; those of namesakes are qualified, or else whole.
  static func distinct(_ types: [any Any.Type]) -> [ObjectIdentifier: String] {
    let types = Dictionary(types.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
    var names = types.mapValues { "\($0)" }
    for name in [qualified, { String(reflecting: $0) }] {
      let alike = Dictionary(grouping: names.keys) { names[$0] }.values.filter { $0.count > 1 }
      for id in alike.joined() { names[id] = types[id].map(name) }
    }
    return names
  }
}

// MARK: What says how it is written

/// A value that says how it is written in Swift, in the tests that `explore` prints.
///
/// Structs are written by their memberwise initializers, and need not conform. Three kinds do, because nothing shows at
/// run time what their initializer takes: a struct with an initializer of its own, one with a `let` that has a default
/// value, and one with a property wrapper of several fields, of which none is called `wrappedValue`.
///
/// ```swift
/// struct Add: Action {
///   let unit = "pieces"
///   var amount: Int
/// }
/// extension Add: SwiftExpressible {
///   var swiftExpression: String { "Add(amount: \(amount))" }
/// }
/// ```
public protocol SwiftExpressible {
  /// The expression that makes the value.
  var swiftExpression: String { get }
}
