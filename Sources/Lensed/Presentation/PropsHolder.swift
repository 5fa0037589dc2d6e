public import Observation

/// The newest props of a view, kept until the view is ready for them.
///
/// ```swift
/// final class MoviesController: UIViewController {
///   let holder = PropsHolder<MoviesProps>()
///
///   override func viewDidLoad() {
///     super.viewDidLoad()
///     holder.ready { [unowned self] props in render(props) }   // what came before, then the others
///   }
/// }
/// let presentation = store.present(presenter, to: controller.holder)
/// ```
///
/// It is observable: a SwiftUI view that reads `props` is drawn anew when they come.
@MainActor
public final class PropsHolder<Props>: Observable {
  private let registrar = ObservationRegistrar()
  private var newest: Props?
  private var render: (@MainActor (Props) -> Void)?

  /// A holder of nothing yet, whose view is not ready.
  public init() {}

  /// The props that came last.
  public var props: Props? {
    registrar.access(self, keyPath: \.props)
    return newest
  }

  /// Takes new props: renders them if the view is ready, and keeps them in any case.
  public func receive(_ props: Props) {
    registrar.withMutation(of: self, keyPath: \.props) { newest = props }
    render?(props)
  }

  /// Says that the view is ready.
  ///
  /// - Parameter render: Is given the props that have come last, now, and later ones as they come.
  ///   The holder keeps it: let it not keep the holder's owner.
  public func ready(render: @escaping @MainActor (_ props: Props) -> Void) {
    self.render = render
    if let newest { render(newest) }
  }

  /// Says that the view is not ready any more; what comes is kept until it is again.
  public func unready() {
    render = nil
  }
}
