/// A commit in a chain of causes, as messages say it: histories, errors, warnings and the test kit.
///
/// Who records commits knows all of a chain. Without a record, the works that are under way know theirs: what has ended
/// has gone from it, and of some commits the number is known alone.
package struct CauseLink: Sendable {
  /// How many commits of a chain a message says, where no history has them.
  package static let limit = 8

  /// The number of the commit.
  package let revision: UInt64
  /// What was committed, as text; empty where that is not known.
  private let what: String
  /// What made it; nil where that is not known.
  private let origin: CommitOrigin?
  private let site: CallSite?

  /// A commit of which so much is known.
  package init(
    _ revision: UInt64, _ what: String = "", _ origin: CommitOrigin? = nil, at site: CallSite? = nil
  ) {
    (self.revision, self.what, self.origin, self.site) = (revision, what, origin, site)
  }

  /// A commit that was recorded; makes the texts of its actions, so no lock may be held.
  package init(_ revision: UInt64, _ actions: [any Action], _ causes: CommitCauses) {
    let texts = actions.prefix(3).map { "`\(Redaction.action($0))`" }
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
  /// The commit as a cause; nil where there was none.
  ///
  /// To be called without a lock.
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
            work.cause, "`\(type)`", CommitOrigin(.action, parent?.waitLabel), at: site))
      case .commit(let noun): links.append(CauseLink(work.cause, "\(noun)"))
      case .effect, .effectOfFeature, .event, .ending:
        // The dispatch that is the parent says it, unless that has ended and the parent is another.
        if work.cause > 0, parent?.cause != work.cause || parent?.isCommit == false {
          let maker = parent?.waitLabel
          let isKnown = maker?.effect != nil || maker?.sequence != nil
          links.append(
            CauseLink(
              work.cause, "", isKnown ? CommitOrigin(.action, maker) : nil, at: maker?.sequence))
        }
      case .sequence:
        if parent == nil, work.cause > 0 { links.append(CauseLink(work.cause)) }
      case .attempt: break
      case .settling: return links
      }
    }
    return links
  }

  /// Whether it is what a commit has set off, and no code of its own.
  private var isCommit: Bool {
    switch label {
    case .dispatch, .commit: true
    case .sequence, .effect, .effectOfFeature, .event, .attempt, .ending, .settling: false
    }
  }
}

extension WorkLabel {
  /// Where the sequence was dispatched, if it is one.
  fileprivate var sequence: CallSite? {
    if case .sequence(let site) = self { site } else { nil }
  }
}
