import Lensed
import LensedTestSupport

/// The product page of the asynchronous reducers.
enum ProductPage: Sendable, Equatable {
  case start, loading, failed
  case product(String)
  case inCart(String, String)
}

enum ProductEvent: Action, Hashable {
  case load, addToCart
}

struct Shopfront: Sendable, Equatable {
  var page = ProductPage.start
  var visits = 0
}

struct ShopFailure: Error, Hashable {
  var what: String
}

/// A shop whose answers wait at gates.
final class Warehouse: Sendable {
  let product = Gate()
  let user = Gate()
  let cart = Gate()
  /// What fails; the last one counts.
  let fails = Recorder<Set<String>>()
  let given = Recorder<ProductPage>()

  init(failing: Set<String> = []) { fails.append(failing) }

  func fetch(_ what: String, _ gate: Gate) async throws -> String {
    try await gate.wait()
    if fails.last?.contains(what) == true { throw ShopFailure(what: what) }
    return what
  }

  /// The page's one asynchronous reducer; with `recovers` false nobody rescues a failure.
  func mutator(recovers: Bool = true) -> AsyncMutator<Shopfront, ProductPage> {
    AsyncMutator(\Shopfront.page) { [self] (page: ProductPage, event: ProductEvent) in
      given.append(page)
      let result =
        switch event {
        case .load:
          AsyncResult { try await self.fetch("product", self.product) }
            .map(ProductPage.product).whileLoading(.loading)
        case .addToCart:
          added(page).whileLoading(.loading)
        }
      return recovers ? result.recover { _ in .failed } : result
    }
  }

  private func added(_ page: ProductPage) -> AsyncResult<ProductPage> {
    guard case .product(let name) = page else {
      return AsyncResult(error: ShopFailure(what: "no product"))
    }
    return AsyncResult<(String, String)>.zip(
      AsyncResult(value: name), AsyncResult { try await self.fetch("user", self.user) }
    )
    .flatMap { product, user in
      AsyncResult { (product, try await self.fetch("cart", self.cart) + " of " + user) }
    }
    .map { ProductPage.inCart($0.0, $0.1) }
  }

  func store(
    recovers: Bool = true, errors: Recorder<String> = Recorder(),
    middleware: [any Middleware<Shopfront>] = []
  ) throws -> Store<Shopfront> {
    try Store(
      initialState: Shopfront(), middleware: middleware, onEffectError: { errors.append("\($0)") }
    ) {
      mutator(recovers: recovers)
      Mutator(\.visits) { (visits: inout Int, _: CountAction) in visits += 1 }
    }
  }
}
