public import Lensed

// The entry points of presenting: what a store, or a scope of one, makes a `Presentation` of. That has the life of it.

extension Store {
  /// Presents the store: a presenter's props are delivered to a closure on the main actor.
  ///
  /// ```swift
  /// let presentation = store.present(CounterPresenter()) { props in label.text = props.text }
  /// presentation.start()
  /// ```
  ///
  /// - Parameters:
  ///   - presenter: Turns states into props.
  ///   - skippingEqualProps: Whether props that equal the last delivered ones are skipped. The
  ///     first props after a start are always delivered.
  ///   - receive: Receives the props.
  /// - Returns: The presentation, not started yet; releasing it stops it.
  @MainActor
  public func present<P: Presenter>(
    _ presenter: P, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    asScope.present(
      presenter, skippingEqualProps, PropsReceiver(isAlive: { true }, receive: receive),
      isWhole: true)
  }

  /// Presents the store to an object, which is not kept alive.
  ///
  /// After the object has been released, the presentation ends at the next commit.
  ///
  /// ```swift
  /// let presentation = store.present(presenter, to: controller) { controller, props in
  ///   controller.render(props)
  /// }
  /// ```
  @MainActor
  public func present<P: Presenter, Receiver: AnyObject & Sendable>(
    _ presenter: P, to receiver: Receiver, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ receiver: Receiver, _ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    asScope.present(
      presenter, skippingEqualProps, PropsReceiver(receiver, receive), isWhole: true)
  }

  /// Presents the store to a holder, which stores the props until its view is attached.
  ///
  /// The holder is not kept alive. After it has been released, the presentation ends at the next
  /// commit.
  @MainActor
  public func present<P: Presenter>(
    _ presenter: P, to holder: PropsHolder<P.Props>, skippingEqualProps: Bool = false
  ) -> Presentation where P.State == State {
    present(presenter, to: holder, skippingEqualProps: skippingEqualProps) { $0.receive($1) }
  }
}

extension ScopedStore {
  /// Presents the scope: a presenter's props are delivered to a closure on the main actor.
  ///
  /// The presenter reacts to the commits that touch the scope's part.
  ///
  /// - Parameters:
  ///   - presenter: Turns states into props.
  ///   - skippingEqualProps: Whether props that equal the last delivered ones are skipped. The
  ///     first props after a start are always delivered.
  ///   - receive: Receives the props.
  /// - Returns: The presentation, not started yet; releasing it stops it.
  @MainActor
  public func present<P: Presenter>(
    _ presenter: P, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    present(
      presenter, skippingEqualProps, PropsReceiver(isAlive: { true }, receive: receive))
  }

  /// Presents the scope to an object, which is not kept alive.
  ///
  /// After the object has been released, the presentation ends at the next commit.
  @MainActor
  public func present<P: Presenter, Receiver: AnyObject & Sendable>(
    _ presenter: P, to receiver: Receiver, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ receiver: Receiver, _ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    present(presenter, skippingEqualProps, PropsReceiver(receiver, receive))
  }

  /// Presents the scope to a holder, which stores the props until its view is attached.
  ///
  /// The holder is not kept alive. After it has been released, the presentation ends at the next
  /// commit.
  @MainActor
  public func present<P: Presenter>(
    _ presenter: P, to holder: PropsHolder<P.Props>, skippingEqualProps: Bool = false
  ) -> Presentation where P.State == State {
    present(presenter, to: holder, skippingEqualProps: skippingEqualProps) { $0.receive($1) }
  }

  @MainActor
  fileprivate func present<P: Presenter>(
    _ presenter: P, _ skipping: Bool, _ receiver: PropsReceiver<P.Props>, isWhole: Bool = false
  ) -> Presentation where P.State == State {
    Presentation(
      PresentationEngine(
        presenter, self, isWhole: isWhole, skippingEqualProps: skipping, receiver))
  }
}

extension PropsReceiver {
  fileprivate init<Receiver: AnyObject & Sendable>(
    _ receiver: Receiver,
    _ receive: @escaping @MainActor @Sendable (Receiver, Props) -> Void
  ) {
    isAlive = { [weak receiver] in receiver != nil }
    self.receive = { [weak receiver] props in
      if let receiver { receive(receiver, props) }
    }
  }
}
