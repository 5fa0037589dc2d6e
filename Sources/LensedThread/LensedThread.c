// The header is all there is; a C target has to have a source file.
#include "LensedThread.h"
