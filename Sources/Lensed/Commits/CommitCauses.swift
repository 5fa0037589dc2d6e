// Why a commit was made.
//
// 1. A commit notes its *source*, the work that made it (`Parent.maker`), and its *parent*, the number of the commit
//    that set that off (`Transaction.makeRecord`). The source knows the parent: a work is made with the number of the
//    commit that it came of (`WorkNode.cause`). Only numbers are kept, so a chain of causes holds nothing.
// 2. Histories and sessions keep these as `CommitCauses`.
// 3. Messages say a chain as sentences, one `CauseLink` for each commit: of a record, or of the works under way.

/// What a commit came from.
public enum CommitCause: String, Sendable, Hashable, Codable {
  /// An action was dispatched.
  case action
  /// Work of an asynchronous reducer ended: its outcome, or what was there before, if it failed or was cancelled.
  case asyncResult
  /// Work of an asynchronous reducer began, or goes on, and shows a value for the time being.
  ///
  /// It is no step of a `History`, and nothing to keep: see `Store.settledState`.
  case placeholder
  /// The state was replaced as a whole.
  case replacement
}

/// What made a commit.
///
/// ```swift
/// for await change in store.changes() {
///   log(change.revision, change.origin, change.parent)   // 812, the effect Search, 809
/// }
/// ```
public enum CommitOrigin: Sendable, Hashable, CustomStringConvertible {
  /// A dispatch of the app: of a view, an observer, a test.
  case dispatch
  /// The effect of this name; one without `named(_:)` is called by its file and line.
  case effect(String)
  /// An asynchronous sequence that was dispatched. Other members of a list that holds one have the origin of the list.
  case sequence
  /// The outcome of an asynchronous reducer.
  case asyncResult
  /// The placeholder of an asynchronous reducer.
  case placeholder
  /// A replacement of the state.
  case replacement

  init(_ cause: CommitCause, _ source: WorkLabel?) {
    switch cause {
    case .asyncResult: self = .asyncResult
    case .placeholder: self = .placeholder
    case .replacement: self = .replacement
    case .action:
      if let name = source?.effect {
        self = .effect(name)
      } else if case .sequence = source {
        self = .sequence
      } else {
        self = .dispatch
      }
    }
  }

  /// What sessions write of it beside the cause.
  package var written: (origin: String?, effect: String?) {
    switch self {
    case .dispatch: ("dispatch", nil)
    case .effect(let name): ("effect", name)
    case .sequence: ("sequence", nil)
    // The cause says it.
    case .asyncResult, .placeholder, .replacement: (nil, nil)
    }
  }

  /// The origin of what a session has written of it.
  package init(_ cause: CommitCause, written origin: String?, _ effect: String?) {
    switch (cause, origin) {
    case (.action, "effect"): self = .effect(effect ?? "")
    case (.action, "sequence"): self = .sequence
    default: self.init(cause, nil)
    }
  }

  /// What it is, as a noun.
  public var description: String {
    switch self {
    case .dispatch: "a dispatch"
    case .effect(let name): "the effect \(name)"
    case .sequence: "a sequence"
    case .asyncResult: "an asynchronous reducer"
    case .placeholder: "an asynchronous reducer that has begun"
    case .replacement: "a replacement of the state"
    }
  }
}

// MARK: Noted

extension CommitRecord {
  /// Notes what made the commit, where that is known: the work that it belongs to, or the record that it repeats.
  @inline(never)
  mutating func noteCauses(of request: CommitRequest) {
    if let work = request.parent.node {
      source = request.parent.maker?.waitLabel
      if work.cause > 0 { parent = work.cause }
    }
    isReplayed = request.isReplay
    if let recorded = request.recorded {
      self.recorded = recorded
      (parent, time) = (recorded.value.parent, recorded.value.time)
    }
  }

  /// The cause that readers are told: that of the record, where it is replayed.
  var told: CommitCause { recorded?.value.cause ?? cause }
  /// What made it; where it is replayed, what made the recorded one.
  var origin: CommitOrigin { recorded?.value.origin ?? CommitOrigin(cause, source) }
}

// MARK: Kept

/// Why a commit was made, as histories and sessions keep it.
package struct CommitCauses: Sendable {
  package var cause: CommitCause
  package var origin: CommitOrigin
  /// The number of the commit that set off what made it.
  package var parent: UInt64?
  package var site: CallSite?
  package var time: Duration?
  package var isHandled: Bool
  /// Whether it was made before, and is made again.
  package var isReplayed = false

  package init(
    _ cause: CommitCause, _ origin: CommitOrigin, parent: UInt64? = nil, site: CallSite? = nil,
    time: Duration? = nil, isHandled: Bool = true
  ) {
    (self.cause, self.origin, self.parent, self.site) = (cause, origin, parent, site)
    (self.time, self.isHandled) = (time, isHandled)
  }

  /// The causes of the state with which something begins.
  static func beginning(at time: Duration? = nil) -> CommitCauses {
    CommitCauses(.replacement, .replacement, time: time, isHandled: false)
  }

  init(_ commit: CommitRecord) {
    self.init(
      commit.told, commit.origin, parent: commit.parent, site: commit.site, time: commit.time,
      isHandled: commit.isHandled)
    isReplayed = commit.isReplayed
  }
}

// MARK: Said

/// A commit in a chain of causes, as messages say it.
///
/// Who records commits knows all of a chain. Otherwise the works under way know theirs: what has ended has gone from
/// it, and of some commits the number is known alone.
package struct CauseLink: Sendable {
  /// How many commits of a chain a message says, where no history has them.
  package static let limit = 8

  package let revision: UInt64
  /// What was committed, as text; empty where that is not known.
  private let what: String
  /// What made it; nil where that is not known.
  private let origin: CommitOrigin?
  private let site: CallSite?

  package init(
    _ revision: UInt64, _ what: String = "", _ origin: CommitOrigin? = nil, at site: CallSite? = nil
  ) {
    (self.revision, self.what, self.origin, self.site) = (revision, what, origin, site)
  }

  /// A commit that was recorded; makes the texts of its actions, so no lock may be held.
  package init(_ revision: UInt64, _ actions: [any Action], _ causes: CommitCauses) {
    let texts = actions.prefix(3).map { "\(code: Redaction.action($0))" }
    var what = texts.joined(separator: ", ")
    if actions.count > 3 { what += " and \(actions.count - 3) more" }
    if actions.isEmpty { what = "a recorded state" }
    self.init(revision, what, causes.origin, at: causes.site)
  }

  /// What was committed, and what made it: "`Found` by the effect Search (Shop/Search.swift:41)".
  package var sentence: String {
    switch origin {
    case .asyncResult: "the outcome of an asynchronous reducer"
    case .placeholder: "the placeholder of an asynchronous reducer"
    case .replacement: "a replacement of the state"
    case .dispatch, .effect, .sequence, nil:
      [what, maker].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// What made it, and where: "dispatched at Shop/BookView.swift:31".
  package var maker: String {
    let place = site.map { "\($0)" }
    return switch origin {
    case .effect(let name):
      "by the effect \(name)" + (place.map { name.contains($0) ? "" : " (\($0))" } ?? "")
    case .sequence: "of a sequence" + (place.map { " dispatched at \($0)" } ?? "")
    case .dispatch, nil: place.map { "dispatched at \($0)" } ?? ""
    case .asyncResult, .placeholder, .replacement: ""
    }
  }

  /// The sentence, after the number.
  package var numbered: String {
    let sentence = sentence
    return sentence.isEmpty ? "#\(revision)" : "#\(revision) \(sentence)"
  }

  /// The end of a sentence about what a chain has set off: ", set off by #2 …, set off by #1 …".
  package static func clause(_ links: some Sequence<CauseLink>) -> String {
    links.map { ", set off by \($0.numbered)" }.joined()
  }
}

extension CommitReport {
  /// The commit as a cause, nil where there was none; to be called without a lock.
  var asCause: CauseLink? {
    isInstallation ? nil : CauseLink(revision, members, CommitCauses(record))
  }
}

extension WorkNode {
  /// The commits that set off this work, the nearest first, as far as the works know them that have not ended.
  var causes: [CauseLink] {
    var links: [CauseLink] = []
    var next: WorkNode? = self
    while let work = next, links.count < CauseLink.limit {
      let parent = work.state.withLock { $0.parent }
      next = parent
      switch work.label {
      case .dispatch(let type, let site):
        links.append(
          CauseLink(
            work.cause, "\(code: type)", CommitOrigin(.action, parent?.waitLabel), at: site))
      case .commit(let noun): links.append(CauseLink(work.cause, "\(noun)"))
      case .effect, .effectOfFeature, .event, .ending:
        // The dispatch that is the parent says it, unless that has ended and the parent is another.
        if work.cause > 0, parent?.cause != work.cause || parent?.isCommit == false {
          // A member of a list that holds a sequence was dispatched with the list, and is none of its elements.
          let list = work.origin.isOfMembers ? parent?.label.sequence : nil
          let source = list == nil ? parent : parent?.state.withLock { $0.parent }
          let maker = source?.waitLabel
          let isKnown = maker?.effect != nil || maker?.sequence != nil
          links.append(
            CauseLink(
              work.cause, "", isKnown ? CommitOrigin(.action, maker) : nil,
              at: list ?? maker?.sequence))
        }
      case .sequence:
        if parent == nil, work.cause > 0 { links.append(CauseLink(work.cause)) }
      case .attempt: break
      case .settling: return links
      }
    }
    return links
  }

  private var isCommit: Bool {
    switch label {
    case .dispatch, .commit: true
    case .sequence, .effect, .effectOfFeature, .event, .attempt, .ending, .settling: false
    }
  }
}

extension WorkLabel {
  fileprivate var sequence: CallSite? {
    if case .sequence(let site) = self { site } else { nil }
  }
}
