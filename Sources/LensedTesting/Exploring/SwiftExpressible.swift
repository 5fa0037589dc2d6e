/// A value that says how it is written in Swift, in the tests that `explore` prints.
///
/// Structs are written by their memberwise initializers, and need not conform. Two kinds do, because nothing shows at
/// run time what their initializer takes: a struct with an initializer of its own, and one with a `let` that has a
/// default value.
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
