/// A commit that listeners are yet to be told of.
final class PendingNotification: CommitNotification {
  /// Who hears of a commit after the observers, and of which of its actions.
  struct Hearings: Sendable {
    // The first has fields of its own: most often there is no other, and no array is needed.
    private var hearers: Hearers?
    private var subject = ReportSubject.none
    private var others: [(hearers: Hearers, subject: ReportSubject)] = []

    var isEmpty: Bool { hearers == nil }

    /// Who takes what the commit starts, if nobody else hears of it.
    fileprivate var taker: (any JobStarter)? { others.isEmpty ? hearers?.taker : nil }

    /// Whether an action that somebody hears of counts as handled.
    var haveHandler: Bool {
      hearers?.haveHandler ?? false || others.contains { $0.hearers.haveHandler }
    }

    mutating func add(_ new: Hearers, hearOf newSubject: ReportSubject = .none) {
      if new.listeners.isEmpty { return }
      if hearers == nil {
        (hearers, subject) = (new, newSubject)
      } else {
        others.append((new, newSubject))
      }
    }

    fileprivate func tell(_ report: any CommitReport, within work: WorkNode?) {
      hearers?.tell(report, of: subject, within: work)
      for other in others { other.hearers.tell(report, of: other.subject, within: work) }
    }
  }

  let report: any CommitReport
  /// What the commit's actions start is part of this; a claim on it is held until all were told.
  let work: WorkNode?
  private let early: [CommitListener]
  private let late: Hearings
  /// Whether the work is to be the one job that the commit starts, because only its taker hears of it.
  private let isSole: Bool

  init(
    _ report: any CommitReport, early: [CommitListener] = [], late: Hearings, work: WorkNode?,
    isSole: Bool = false
  ) {
    self.report = report
    self.early = early
    self.late = late
    self.work = work
    self.isSole = isSole
  }

  /// Keeps where the commit was made for what it is going to start.
  func isQueued() {
    work?.captureContext()
  }

  /// Tells those who hear of it before the observers.
  func deliverEarly() {
    for listener in early { listener.hear(report, .none, work) }
  }

  /// Tells those who hear of it after the observers; the work then depends on what they started.
  func deliverLate() {
    guard isSole, let work, let taker = late.taker else {
      late.tell(report, within: work)
      work?.endClaim()
      return
    }
    taker.startJob(as: work, for: report)
  }
}
