#include "LensedTestWidth.h"

#include <stdlib.h>
#if defined(__linux__)
#include <unistd.h>
#endif

// Swift Testing begins all tests at once unless it is given a width. Tests that wait then take the time of the others: all of
// them take eight times as long, and four times the memory. It reads the width when the first test begins, which is after this
// has run. A width that is set already stays. A toolchain that does not know the name ignores it.
__attribute__((constructor)) static void set_width(void) {
#if !defined(_WIN32)
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "4", 0);
#endif
}

// `swift test` begins with a run of XCTest, which has no test here and says so in six lines. It alone is given no arguments.
#if defined(__linux__)
__attribute__((constructor)) static void leave_xctest(int count, char **arguments) {
  (void)arguments;
  if (count == 1) _exit(0);
}
#endif
