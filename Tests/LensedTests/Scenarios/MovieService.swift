import Lensed
import LensedTestSupport

extension MovieBoard {
  /// One page of a category, from 1.
  struct Page: Sendable, Equatable {
    let category: Category
    let number: Int

    init(_ category: Category, _ number: Int) {
      (self.category, self.number) = (category, number)
    }
  }

  typealias Network = GatedNetwork<Page, [String]>

  struct NetworkFailure: Error {}

  /// What a condition was asked about.
  struct Inquiry: Sendable, Equatable {
    let asking: Category
    let wasLoading: Bool?
    let isLoading: Bool
  }

  /// The service of the browser: the effect of a shelf, lifted to each category.
  static func service(
    _ network: Network, inquiries: Recorder<Inquiry> = Recorder()
  ) -> Feature<State> {
    Feature("movies") {
      for category in Category.allCases {
        loading(category, from: network, inquiries)
          .lifted(action: category.loads).lifted(action: category.appends)
          .lifted(action: category.failures).lifted(category.lens)
      }
    }
  }

  /// The effect of one shelf.
  ///
  /// It relies on the flag in the state alone. The policy `.first` would ignore a load that an observer
  /// of the newest page asks for, while that page is still being applied, and leave the flag set.
  private static func loading(
    _ category: Category, from network: Network, _ inquiries: Recorder<Inquiry>
  ) -> Effect<Shelf> {
    Effect(
      on: Shelf.Load.self,
      when: { _, change in
        let inquiry = Inquiry(
          asking: category, wasLoading: change.previous?.isLoading,
          isLoading: change.state.isLoading)
        inquiries.append(inquiry)
        return inquiry.wasLoading == false && inquiry.isLoading
      },
      catch: { _, context in context.dispatch(Shelf.Fail()) }
    ) { _, context in
      Shelf.Append(movies: try await network.ask(Page(category, context.page + 1)))
    }
    .ended { end, _ in
      // What a cancelled load still dispatches is refused.
      if case .cancelled = end { Shelf.Fail() } else { nil }
    }
    .named(category.rawValue)
  }
}
