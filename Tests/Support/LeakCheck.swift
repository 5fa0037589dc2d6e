/// Whether leaks are looked for when the tests have ended: under the address sanitizer.
///
/// Suites that start processes are left out then, because Foundation's `Process` leaks when its end is awaited in a task.
public var isLeakChecked: Bool {
  #if ASAN
    true
  #else
    false
  #endif
}
