public import LensedThread
public import Synchronization

/// The lock of a store: it knows which thread holds it.
///
/// One word is all of it: zero while the lock is free, else the id of the thread that holds it, and the lowest
/// bit while other threads may sleep. So a thread that is about to wait for itself is found out where
/// taking the lock fails, and a dispatch that succeeds pays nothing for that.
///
/// 1. *Taking.* A thread exchanges zero for its id, acquiring. If that fails and the word holds its own id, it
///    wrote it: ids differ between live threads, and a thread that ends holds no lock.
/// 2. *Waiting.* A thread that fails spins briefly, because most commits are short. Then it sets the lowest
///    bit and sleeps, as long as the word is what it has set. A thread that has slept takes the lock with the bit
///    set, because it cannot know whether others still sleep.
/// 3. *Releasing.* The holder exchanges the word for zero, releasing. If the bit was set, it wakes one
///    sleeper. That one competes with threads that come anew, as it does for an ordinary mutex: handing
///    the lock over would cost two switches of threads for each commit.
/// 4. *No wake-up is lost.* A thread sleeps only if the kernel still finds the bit that it has set, and
///    the thread that removes the bit wakes another afterwards.
///
/// `Mutex` of the standard library hands a contended lock from thread to thread on Linux: with more
/// threads than cores, each commit costs a switch. Elsewhere it does not, and is used; with `LENSED_MUTEX_LOCK`, Linux
/// builds that form too.
@usableFromInline
struct StoreLock: ~Copyable, Sendable {
  /// The id of the holder; the lowest bit says that threads may sleep.
  @usableFromInline
  let word = Atomic<UInt>(0)
  #if LENSED_MUTEX_LOCK || !(os(Linux) || os(Android))
    @usableFromInline
    let mutex = Mutex(())
  #endif
  #if DEBUG
    /// How often the lock was taken: tests count the turns of a commit.
    @usableFromInline
    let turns = Atomic<Int>(0)
  #endif

  init() {}

  /// Whether the thread `me`, which is the calling one, holds the lock.
  ///
  /// A relaxed load is enough: the thread's own id is there only if the thread wrote it last.
  @inlinable
  @inline(__always)
  func isHeld(by me: UInt) -> Bool {
    word.load(ordering: .relaxed) & ~1 == me
  }

  /// Takes the lock for the calling thread, which is `me`.
  ///
  /// - Returns: False, and nothing was done, if that thread holds it already.
  @inlinable
  @inline(__always)
  func lock(as me: UInt) -> Bool {
    #if (os(Linux) || os(Android)) && !LENSED_MUTEX_LOCK
      let isFree = word.compareExchange(
        expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed
      ).exchanged
      if !isFree && !waitAndLock(as: me) { return false }
    #else
      if isHeld(by: me) { return false }
      mutex._unsafeLock()
      word.store(me, ordering: .relaxed)
    #endif
    countTurn()
    return true
  }

  /// Releases the lock, which the calling thread holds.
  @inlinable
  @inline(__always)
  func unlock() {
    #if (os(Linux) || os(Android)) && !LENSED_MUTEX_LOCK
      if word.exchange(0, ordering: .releasing) & 1 != 0 { wakeOne() }
    #else
      word.store(0, ordering: .relaxed)
      mutex._unsafeUnlock()
    #endif
  }

  /// Runs `body` with the lock, or `reentry` where the calling thread `me` holds it already.
  @inlinable
  @inline(__always)
  func withLock<Result: ~Copyable>(
    as me: UInt, _ body: () -> Result, reentry: () -> Result
  ) -> Result {
    guard lock(as: me) else { return reentry() }
    defer { unlock() }
    return body()
  }

  @inlinable
  @inline(__always)
  func countTurn() {
    #if DEBUG
      turns.wrappingAdd(1, ordering: .relaxed)
    #endif
  }
}

#if (os(Linux) || os(Android)) && !LENSED_MUTEX_LOCK
  extension StoreLock {
    /// How often a thread looks whether the lock is free before it sleeps: some microseconds.
    private static var spins: Int { 100 }

    /// Waits for the lock and takes it.
    ///
    /// - Returns: False, if the calling thread holds it already.
    @usableFromInline
    @inline(never)
    func waitAndLock(as me: UInt) -> Bool {
      if isHeld(by: me) { return false }
      var new = me
      while !spin(for: new) {
        // Once it sleeps, it cannot know whether others still do when it is woken.
        new = me | 1
        let holder = word.load(ordering: .relaxed)
        let noted = holder | 1
        if holder != 0 && (holder == noted || markWaiting(noted, over: holder)) {
          sleep(while: noted)
        }
      }
      return true
    }

    /// Takes the lock if it is free within some microseconds; before each sleep anew, so that a thread that was
    /// woken has a chance against those that never rest.
    private func spin(for new: UInt) -> Bool {
      for _ in 0..<Self.spins {
        if word.load(ordering: .relaxed) == 0 && tryLock(as: new) { return true }
        lensed_spin_hint()
      }
      return false
    }

    private func tryLock(as new: UInt) -> Bool {
      word.compareExchange(
        expected: 0, desired: new, successOrdering: .acquiring, failureOrdering: .relaxed
      ).exchanged
    }

    private func markWaiting(_ new: UInt, over old: UInt) -> Bool {
      word.compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged
    }

    /// A word that cannot be copied is lent where it lies, so its address is the same for every thread.
    private func sleep(while noted: UInt) {
      unsafe withUnsafePointer(to: word) { unsafe lensed_wait($0, noted) }
    }

    @usableFromInline
    @inline(never)
    func wakeOne() {
      unsafe withUnsafePointer(to: word) { unsafe lensed_wake_one($0) }
    }
  }
#endif

/// The id of the running thread: not zero, and different from that of every other live thread.
@usableFromInline
enum ThreadIdentity {
  @inlinable
  @inline(__always)
  static var current: UInt { lensed_thread_pointer() }
}
