import Dispatch
import Foundation
import Synchronization

/// Lets the program put things in order when it is told to stop: at Ctrl-C, a hang-up, a kill.
///
/// The first such signal asks for the end; another one ends the program at once.
final class Interrupts: Sendable {
  /// The signal that came first, if any did.
  private final class Received: Sendable {
    let signal = Mutex<Int32?>(nil)
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let received = Received()
  private let sources: Mutex<[any DispatchSourceSignal]>

  /// The signal that asked for the end, if any did.
  var signal: Int32? { received.signal.withLock { $0 } }

  init(_ stop: @escaping @Sendable () -> Void) {
    let received = received
    let sources = Interrupts.signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        let isFirst = received.signal.withLock { signal in
          defer { signal = signal ?? number }
          return signal == nil
        }
        guard isFirst else { _exit(128 + number) }
        stop()
      }
      _ = Foundation.signal(number, SIG_IGN)
      source.resume()
      return source
    }
    self.sources = Mutex(sources)
  }
}
