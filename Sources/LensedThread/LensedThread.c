#include "LensedThread.h"

_Thread_local char lensed_thread_mark;
