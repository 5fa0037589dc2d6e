#include "LensedThread.h"

// What is not in the header is one for all modules that use it. A C target has to have a source file in any case.
#if !defined(__linux__) && !defined(__APPLE__)
_Thread_local char lensed_thread_marker;
#endif
