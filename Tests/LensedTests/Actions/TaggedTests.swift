import Foundation
import Lensed
import LensedTestSupport
import Testing

/// A feature that knows nothing of the app.
private struct Chat: Equatable, Sendable {
  var lines: [String] = []
  var likes = 0

  static let reducer = Reducer { (chat: inout Chat, action: ChatAction) in
    switch action {
    case .send(let line): chat.lines.append(line)
    }
  }
  .on(LikeAction.self) { chat, _ in chat.likes += 1 }
}

private enum ChatAction: Action, Hashable, Codable {
  case send(String)
}

private struct LikeAction: Action {}

private enum Left {}
private enum Right {}

/// An app with two instances of it, and two collections of it.
private struct Chats: Equatable, Sendable {
  var left = Chat()
  var right = Chat()
  var work: [String: Chat] = ["a": Chat(), "b": Chat()]
  var home: [String: Chat] = ["a": Chat(), "b": Chat()]
}

@Suite("Tagged: instances of one feature stay apart", .timeLimit(.minutes(30)))
struct TaggedTests {
  private let store: Store<Chats>

  init() throws {
    let feature = Mutator(lens: Lens<Chat, Chat>.identity, reducer: Chat.reducer)
    store = try Store(initialState: Chats()) {
      feature.lifted(Lens(\.left)).tagged(Left.self)
      Mutator(\.right, Chat.reducer.tagged(Right.self))
      Mutator(\.work, Chat.reducer.keyed().tagged(Left.self))
      Mutator(\.home, Chat.reducer.tagged(Right.self).keyed())
    }
  }

  @Test func `two instances of one feature`() {
    store.dispatch(ChatAction.send("l").tagged(Left.self))
    #expect(store.state == Chats(left: Chat(lines: ["l"])))
    store.dispatch(ChatAction.send("r").tagged(Right.self))
    #expect(store.state == Chats(left: Chat(lines: ["l"]), right: Chat(lines: ["r"])))
    store.dispatch(LikeAction().tagged(Right.self))
    #expect(store.left.likes == 0)
    #expect(store.right.likes == 1)
  }

  @Test(.warnsOnPurpose) func `the bare action reaches neither`() async throws {
    var changes = store.changes().makeAsyncIterator()
    store.dispatch(ChatAction.send("?"))
    #expect(store.state == Chats())
    #expect(await changes.next()?.isHandled == false)
  }

  @Test func `only observers of the one instance are woken`() {
    let (left, right) = (Recorder<Chat>(), Recorder<Chat>())
    let subscriptions = [
      store.states(\.left, repeats: .kept).subscribe { left.append($0) },
      store.states(\.right, repeats: .kept).subscribe { right.append($0) },
    ]
    store.dispatch(LikeAction().tagged(Left.self))
    #expect(left.values == [Chat(), Chat(likes: 1)])
    #expect(right.values == [Chat()])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `two collections with the same child action`() {
    store.dispatch(ElementAction(id: "a", action: LikeAction()).tagged(Left.self))
    #expect(store.work["a"]?.likes == 1)
    #expect(store.home["a"]?.likes == 0)
    store.dispatch(ElementAction(id: "a", action: LikeAction().tagged(Right.self)))
    #expect(store.work["a"]?.likes == 1)
    #expect(store.home["a"]?.likes == 1)
    #expect(store.work["b"]?.likes == 0)
    #expect(store.home["b"]?.likes == 0)
  }

  @Test func `lists and sequences are tagged member by member`() async throws {
    let list: [ChatAction] = [.send("1"), .send("2")]
    store.dispatch(list.tagged(Left.self))
    store.dispatch(ActionList([LikeAction(), ChatAction.send("3")]).tagged(Left.self))
    #expect(store.left == Chat(lines: ["1", "2", "3"], likes: 1))
    let script = ScriptedActions<ChatAction>(giving: .send("4"), .send("5"))
    try await store.dispatch(AsyncActions(script).tagged(Right.self)).finish()
    #expect(store.right == Chat(lines: ["4", "5"]))
  }

  @Test func `a tag inside a tag is another one`() throws {
    let nested = Chat.reducer.tagged(Left.self).tagged(Right.self)
    var chat = Chat()
    nested.reduce(&chat, LikeAction().tagged(Left.self))
    nested.reduce(&chat, LikeAction().tagged(Right.self).tagged(Left.self))
    #expect(chat.likes == 0)
    nested.reduce(&chat, LikeAction().tagged(Left.self).tagged(Right.self))
    #expect(chat.likes == 1)
  }

  @Test func `equal, hashed and coded when its action is`() throws {
    let action = ChatAction.send("a").tagged(Left.self)
    #expect(action == Tagged<Left, ChatAction>(.send("a")))
    #expect(action != Tagged<Left, ChatAction>(.send("b")))
    #expect(Set([action, action]).count == 1)
    let data = try JSONEncoder().encode(action)
    #expect(try JSONDecoder().decode(Tagged<Left, ChatAction>.self, from: data) == action)
  }
}
