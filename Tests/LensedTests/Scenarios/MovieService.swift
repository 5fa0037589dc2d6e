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
    let action: LoadAction
    let wasLoading: Bool?
    let isLoading: Bool
  }

  /// The service of the browser: one effect per category.
  static func service(
    _ network: Network, inquiries: Recorder<Inquiry> = Recorder()
  ) -> Service<State> {
    Service("movies") {
      for category in Category.allCases { loading(category, from: network, inquiries) }
    }
  }

  /// The effect of one category.
  ///
  /// It relies on the flag in the state alone. The policy `.first` would ignore a load that an observer
  /// of the newest page asks for, while that page is still being applied, and leave the flag set.
  private static func loading(
    _ category: Category, from network: Network, _ inquiries: Recorder<Inquiry>
  ) -> Effect<State> {
    Effect(
      on: LoadAction.self,
      when: { action, change in
        let inquiry = Inquiry(
          asking: category, action: action,
          wasLoading: change.previous?.shelves[action.category].isLoading,
          isLoading: change.state.shelves[action.category].isLoading)
        inquiries.append(inquiry)
        return action.category == category && inquiry.wasLoading == false && inquiry.isLoading
      },
      catch: { _, context in context.dispatch(ErrorLoadingAction(category: category)) }
    ) { _, context in
      let page = Page(category, context.state.shelves[category].page + 1)
      return AppendAction(category: category, movies: try await network.ask(page))
    }
    .named(category.rawValue)
  }
}
