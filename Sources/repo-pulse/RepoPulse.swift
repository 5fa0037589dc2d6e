import Dispatch
import Foundation
import Synchronization

/// The program: it gives the command to the machine it runs on, and its status to the shell.
@main
enum RepoPulse {
  static func main() async {
    // When the reader of the output stops, a write fails like any other, and no signal ends the program.
    signal(SIGPIPE, SIG_IGN)
    let (output, errors) = (Output(to: 1), Output(to: 2))
    let pulse = Pulse(
      environment: ProcessInfo.processInfo.environment, output: output, errors: errors)
    let command = Task { await pulse.run(System.arguments()) }
    let interrupts = Interrupts()
    let sources = interrupts.sources { command.cancel() }
    let status = await command.value
    withExtendedLifetime(sources) {}
    exit(interrupts.first.map { 128 + $0 } ?? status)
  }
}

/// Lets the program put things in order when it is told to stop: at Ctrl-C, a hang-up, a kill.
///
/// The first such signal asks for the end; another one ends the program at once.
private final class Interrupts: Sendable {
  private let received = Mutex<Int32?>(nil)

  /// The signal that asked for the end, if any did.
  var first: Int32? { received.withLock { $0 } }

  func sources(_ stop: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGHUP].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable [self] in
        if first != nil { _exit(128 + number) }
        received.withLock { $0 = $0 ?? number }
        stop()
      }
      signal(number, SIG_IGN)
      source.resume()
      return source
    }
  }
}
