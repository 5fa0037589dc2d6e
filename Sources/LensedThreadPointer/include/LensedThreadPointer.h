#ifndef LENSED_THREAD_POINTER_H
#define LENSED_THREAD_POINTER_H

#include <stdint.h>

#if !defined(__linux__)
#include <pthread.h>
#endif

/// Which thread is running, as a number that no other live thread has and that is never zero.
///
/// It is one instruction where a call of the C library would cost as much as everything that a
/// dispatch notes about its commit.
static inline uintptr_t lensed_thread_pointer(void) {
#if defined(__linux__)
  return (uintptr_t)__builtin_thread_pointer();
#else
  return (uintptr_t)pthread_self();
#endif
}

#endif
