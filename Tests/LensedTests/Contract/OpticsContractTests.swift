import Lensed
import Testing

private struct Profile: Sendable, Equatable {
  var name = "a"
  var age = 1
}

private struct Root: Sendable, Equatable {
  var profile = Profile()
  var watched = 0 {
    didSet { _ = oldValue }
  }
  var page = Page.start
}

private enum Page: Sendable, Equatable {
  case start
  case loaded(Profile)
}

private enum WideAction: Action {
  case narrow(NarrowAction)
}

private struct NarrowAction: Action, Equatable {
  var number = 0
}

@Suite("Lenses and prisms keep what the documentation promises")
struct OpticsContractTests {
  @Test func `a lens from a key path`() {
    let lens: Lens<Root, Profile> = Lens(\.profile)
    var root = Root()
    #expect(lens.get(root) == Profile())
    #expect(lens.set(root, Profile(name: "b")).profile.name == "b")
    lens.modify(&root) { $0.age += 1 }
    #expect(root.profile.age == 2)
  }

  @Test func `the functional form, with a name and without`() {
    let plain = Lens<Root, Int>(
      get: { $0.profile.age },
      set: { root, age in
        var root = root
        root.profile.age = age
        return root
      })
    let named = Lens(
      name: "profile.age", get: { (root: Root) in root.profile.age },
      set: { (root: Root, age: Int) in
        var root = root
        root.profile.age = age
        return root
      })
    for lens in [plain, named] {
      var root = Root()
      lens.modify(&root) { $0 += 1 }
      #expect(lens.get(root) == 2)
    }
  }

  @Test func `the in-place form, and a key path with a name`() {
    let inPlace = Lens<Root, String>(
      name: "profile.name", get: { $0.profile.name },
      modify: { root, edit in edit(&root.profile.name) })
    var root = Root()
    inPlace.modify(&root) { $0 += "!" }
    #expect(root.profile.name == "a!")
    let watched = Lens(name: "watched", \Root.watched)
    #expect(watched.set(root, 4).watched == 4)
  }

  @Test func `appending a lens, appending a path, and the identity`() {
    let profile = Lens(\Root.profile)
    let name: Lens<Root, String> = profile.appending(Lens(\.name))
    let age: Lens<Root, Int> = profile.appending(path: \.age)
    #expect(name.get(Root()) == "a")
    #expect(age.get(Root()) == 1)
    let whole: Lens<Root, Root> = .identity
    #expect(whole.get(Root()) == Root())
    #expect(Lens<Int, Int>.identity.set(1, 2) == 2)
  }

  @Test func `a prism, with modify: and without, appended`() {
    let loaded = Prism<Page, Profile>(
      embed: Page.loaded, extract: { if case .loaded(let profile) = $0 { profile } else { nil } })
    let edited = Prism<Page, Profile>(
      embed: { .loaded($0) },
      extract: { if case .loaded(let profile) = $0 { profile } else { nil } },
      modify: { page, edit in
        guard case .loaded(var profile) = page else { return }
        page = .start
        edit(&profile)
        page = .loaded(profile)
      })
    for prism in [loaded, edited, Prism<Page, Page>.identity.appending(loaded)] {
      #expect(prism.embed(Profile()) == .loaded(Profile()))
      #expect(prism.extract(.loaded(Profile(name: "b"))) == Profile(name: "b"))
      #expect(prism.extract(.start) == nil)
    }
  }

  @Test func `a prism to a narrower action`() {
    let narrow = Prism<WideAction, NarrowAction>(
      embed: WideAction.narrow,
      extract: { if case .narrow(let action) = $0 { action } else { nil } })
    #expect(narrow.extract(.narrow(NarrowAction(number: 3))) == NarrowAction(number: 3))
  }

  @Test func `lenses and prisms are Sendable`() async {
    let lens = Lens(\Root.profile)
    let name = await Task.detached { lens.get(Root()).name }.value
    #expect(name == "a")
  }
}
