#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif
  import Foundation
  import Synchronization

  /// Waits for sockets, all of them on one thread, so that no task blocks a thread of the pool.
  ///
  /// The cycle: a task notes what it waits for and rings; the thread takes note, and sleeps in `poll`; a
  /// task whose socket is ready is resumed and forgotten. The waiters are guarded by `state`, and nothing is resumed
  /// under it.
  /// Each turn looks at every waiter: right for hundreds of clients; thousands want `epoll` or `kqueue`.
  package final class Readiness: Sendable {
    /// What a task waits for.
    package enum Event { case readable, writable }

    private struct Waiter {
      let socket: Socket
      let event: Event
      let continuation: CheckedContinuation<Void, any Error>

      var flag: Int16 { Int16(event == .readable ? POLLIN : POLLOUT) }
    }

    private struct State {
      var waiters: [Int: Waiter] = [:]
      var last = 0
      var isStopped = false
    }

    private let state = Mutex(State())
    /// The two ends of a pipe: a byte in it wakes the thread.
    private let (wakeup, bell): (CInt, CInt)

    /// Starts the thread, which runs until `stop()`.
    package init() throws(SocketError) {
      var ends: [CInt] = [-1, -1]
      // `pipe` writes two numbers, and there is room for two.
      if unsafe pipe(&ends) != 0 { throw SocketError(call: "pipe", code: errno) }
      (wakeup, bell) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
      Thread.detachNewThread { self.run() }
    }

    deinit {
      close(wakeup)
      close(bell)
    }

    /// Returns when a socket can be read, or written, without blocking, or when its other side has gone.
    ///
    /// - Throws: `CancellationError`, also after `stop()`; `SocketError` where the system cannot wait.
    package func wait(for event: Event, on socket: Socket) async throws {
      let id = state.withLock { state in
        state.last += 1
        return state.last
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let isRefused = state.withLock { state in
            // A cancellation from here on finds the waiter; an earlier one is seen here.
            if state.isStopped || Task.isCancelled { return true }
            state.waiters[id] = Waiter(socket: socket, event: event, continuation: continuation)
            return false
          }
          if isRefused { continuation.resume(throwing: CancellationError()) } else { ring() }
        }
      } onCancel: {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.continuation.resume(throwing: CancellationError())
        ring()
      }
    }

    /// Ends the thread, and every wait.
    package func stop() {
      state.withLock { $0.isStopped = true }
      ring()
    }

    private func ring() {
      var byte: UInt8 = 1
      // A full pipe is a bell that rings already.
      _ = unsafe write(bell, &byte, 1)
    }

    private func run() {
      while true {
        let (waiters, isStopped) = state.withLock { state in
          defer { if state.isStopped { state.waiters = [:] } }
          return (state.waiters, state.isStopped)
        }
        if isStopped {
          for waiter in waiters.values { waiter.continuation.resume(throwing: CancellationError()) }
          return
        }
        // One entry for each descriptor: `poll` takes no more than the process may have open.
        var polled = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        var entries: [CInt: Int] = [:]
        for waiter in waiters.values {
          let descriptor = waiter.socket.descriptor
          let entry = entries[descriptor] ?? polled.count
          if entry == polled.count { polled.append(pollfd(fd: descriptor, events: 0, revents: 0)) }
          entries[descriptor] = entry
          polled[entry].events |= waiter.flag
        }
        // As many entries as the array has.
        let count = unsafe poll(&polled, nfds_t(polled.count), -1)
        var fault: SocketError?
        if count < 0 {
          let code = errno
          if code == EINTR { continue }
          // It would fail again at once, and at each turn.
          fault = SocketError(call: "poll", code: code)
        } else if polled[0].revents != 0 {
          silence()
        }
        let ready = waiters.filter { _, waiter in
          guard fault == nil, let entry = entries[waiter.socket.descriptor] else { return true }
          // What is not one of the two is an end or an error: of either direction.
          let others = polled[entry].revents & ~Int16(POLLIN | POLLOUT)
          return others != 0 || polled[entry].revents & waiter.flag != 0
        }.keys
        let resumed = state.withLock { state in
          ready.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in resumed {
          if let fault {
            waiter.continuation.resume(throwing: fault)
          } else {
            waiter.continuation.resume()
          }
        }
      }
    }

    private func silence() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while unsafe read(wakeup, &bytes, bytes.count) > 0 {}
    }
  }
#endif
