import Foundation

/// The program: it gives the command to the machine it runs on, and its status to the shell.
@main
enum RepoPulse {
  static func main() async {
    // A reader that stops reading ends the output, which is a failure like others, and not the program,
    // which may have a recording to write.
    signal(SIGPIPE, SIG_IGN)
    let arguments = System.arguments()
    let (output, errors) = Output.standard()
    let pulse = Pulse(
      environment: ProcessInfo.processInfo.environment, output: output, errors: errors)
    let command = Task { await pulse.run(arguments) }
    let interrupts = Interrupts { command.cancel() }
    let status = await command.value
    exit(interrupts.signal.map { 128 + $0 } ?? status)
  }
}
