public import Observation

/// The newest props of a view, stored until the view is attached.
///
/// ```swift
/// final class MoviesController: UIViewController {
///   let holder = PropsHolder<MoviesProps>()
///
///   override func viewDidLoad() {
///     super.viewDidLoad()
///     // Renders the newest props now, and later ones as they arrive.
///     holder.attach { [unowned self] props in render(props) }
///   }
/// }
/// let presentation = store.present(presenter, to: controller.holder)
/// ```
///
/// It is observable: a SwiftUI view that reads `props` is re-rendered when new ones arrive.
@MainActor
public final class PropsHolder<Props>: Observable {
  private let registrar = ObservationRegistrar()
  private var newest: Props?
  private var render: (@MainActor (Props) -> Void)?

  /// Creates an empty holder without a view.
  public init() {}

  /// The newest props; nil before the first arrive.
  public var props: Props? {
    registrar.access(self, keyPath: \.props)
    return newest
  }

  /// Stores new props, and renders them if a view is attached.
  public func receive(_ props: Props) {
    registrar.withMutation(of: self, keyPath: \.props) { newest = props }
    render?(props)
  }

  /// Attaches the view: renders the newest props now, and later ones as they arrive.
  ///
  /// - Parameter render: Renders props. The holder retains it until `detach()`, so it should hold
  ///   the holder's owner weakly or unowned.
  public func attach(render: @escaping @MainActor (_ props: Props) -> Void) {
    self.render = render
    if let newest { render(newest) }
  }

  /// Detaches the view; the newest props are stored until a view is attached again.
  public func detach() {
    render = nil
  }
}
