extension Store {
  /// Has a presenter deliver props to a closure on the main actor.
  ///
  /// ```swift
  /// let presentation = store.present(CounterPresenter()) { props in label.text = props.text }
  /// presentation.start()
  /// ```
  ///
  /// - Parameters:
  ///   - presenter: Makes the props.
  ///   - skippingEqualProps: Whether props that equal those delivered last are left out. The first
  ///     ones after a start are delivered in any case.
  ///   - receive: Is given the props.
  /// - Returns: What starts and stops it; releasing it stops it.
  public func present<P: Presenter>(
    _ presenter: P, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    present(
      presenter, skippingEqualProps,
      PropsReceiver(isThere: { true }, receive: receive))
  }

  /// Has a presenter deliver props to an object, which is not kept alive.
  ///
  /// When the object has gone the presentation ends, at the next commit.
  ///
  /// ```swift
  /// let presentation = store.present(presenter, to: controller) { controller, props in
  ///   controller.render(props)
  /// }
  /// ```
  public func present<P: Presenter, Receiver: AnyObject & Sendable>(
    _ presenter: P, to receiver: Receiver, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ receiver: Receiver, _ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    present(presenter, skippingEqualProps, PropsReceiver(receiver, receive))
  }

  /// Has a presenter deliver props to a holder, which keeps them until its view is ready.
  ///
  /// The holder is not kept alive. When it has gone the presentation ends, at the next commit.
  public func present<P: Presenter>(
    _ presenter: P, to holder: PropsHolder<P.Props>, skippingEqualProps: Bool = false
  ) -> Presentation where P.State == State {
    present(presenter, to: holder, skippingEqualProps: skippingEqualProps) { $0.receive($1) }
  }

  private func present<P: Presenter>(
    _ presenter: P, _ skipping: Bool, _ receiver: PropsReceiver<P.Props>
  ) -> Presentation where P.State == State {
    Presentation(
      PresentationEngine(
        presenter, scope(Lens.identity), isWhole: true, skippingEqualProps: skipping, receiver))
  }
}

extension ScopedStore {
  /// Has a presenter of the feature deliver props to a closure on the main actor.
  ///
  /// The presenter is asked about the commits that touch the feature's part.
  ///
  /// - Parameters:
  ///   - presenter: Makes the props.
  ///   - skippingEqualProps: Whether props that equal those delivered last are left out. The first
  ///     ones after a start are delivered in any case.
  ///   - receive: Is given the props.
  /// - Returns: What starts and stops it; releasing it stops it.
  public func present<P: Presenter>(
    _ presenter: P, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    present(
      presenter, skippingEqualProps,
      PropsReceiver(isThere: { true }, receive: receive))
  }

  /// Has a presenter of the feature deliver props to an object, which is not kept alive.
  ///
  /// When the object has gone the presentation ends, at the next commit.
  public func present<P: Presenter, Receiver: AnyObject & Sendable>(
    _ presenter: P, to receiver: Receiver, skippingEqualProps: Bool = false,
    _ receive: @escaping @MainActor @Sendable (_ receiver: Receiver, _ props: P.Props) -> Void
  ) -> Presentation where P.State == State {
    present(presenter, skippingEqualProps, PropsReceiver(receiver, receive))
  }

  /// Has a presenter of the feature deliver props to a holder, which keeps them until its view is
  /// ready.
  ///
  /// The holder is not kept alive. When it has gone the presentation ends, at the next commit.
  public func present<P: Presenter>(
    _ presenter: P, to holder: PropsHolder<P.Props>, skippingEqualProps: Bool = false
  ) -> Presentation where P.State == State {
    present(presenter, to: holder, skippingEqualProps: skippingEqualProps) { $0.receive($1) }
  }

  private func present<P: Presenter>(
    _ presenter: P, _ skipping: Bool, _ receiver: PropsReceiver<P.Props>
  ) -> Presentation where P.State == State {
    Presentation(
      PresentationEngine(
        presenter, self, isWhole: false, skippingEqualProps: skipping, receiver))
  }
}

extension PropsReceiver {
  fileprivate init<Receiver: AnyObject & Sendable>(
    _ receiver: Receiver,
    _ receive: @escaping @MainActor @Sendable (Receiver, Props) -> Void
  ) {
    isThere = { [weak receiver] in receiver != nil }
    self.receive = { [weak receiver] props in
      if let receiver { receive(receiver, props) }
    }
  }
}
