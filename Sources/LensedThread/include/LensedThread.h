#ifndef LENSED_THREAD_H
#define LENSED_THREAD_H

#include <stdint.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <pthread.h>
#else
/// A byte of each thread; its address is the thread's id.
///
/// WebAssembly has one thread, or threads with storage of their own. Windows has no POSIX threads.
extern _Thread_local char lensed_thread_marker __attribute__((aligned(2)));
#endif

/// Which thread is running, as an even number that no other live thread has and that is never zero.
///
/// It is one instruction where a call of the C library would cost as much as everything that a
/// dispatch notes about its commit.
static inline uintptr_t lensed_thread_pointer(void) {
#if defined(__linux__)
  return (uintptr_t)__builtin_thread_pointer();
#elif defined(__APPLE__)
  return (uintptr_t)pthread_self();
#else
  return (uintptr_t)&lensed_thread_marker;
#endif
}

/// Begins to fetch the first lines of memory at an address, which is read soon; the processor follows it from there.
static inline void lensed_fetch(uintptr_t address) {
#if defined(__GNUC__)
  for (uintptr_t line = 0; line < 4; line++) __builtin_prefetch((const void *)(address + 64 * line));
#endif
}

#if defined(__linux__)

/// The time of the continuous clock, in nanoseconds since the system was started.
///
/// Swift's own clock reads the same, through three calls and two multiplications of 128 bits.
static inline int64_t lensed_continuous_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// The address of the low half of a word: the kernel compares 32 bits.
static inline uint32_t *lensed_low_half(const void *word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return (uint32_t *)((uintptr_t)word + sizeof(uintptr_t) - 4);
#else
  return (uint32_t *)(uintptr_t)word;
#endif
}

/// Sleeps while the low half of `word` is that of `expected`; may return at any time.
static inline void lensed_wait(const void *word, uintptr_t expected) {
  syscall(SYS_futex, lensed_low_half(word), FUTEX_WAIT_PRIVATE, (uint32_t)expected, 0, 0, 0);
}

/// Wakes one thread that sleeps on `word`.
static inline void lensed_wake_one(const void *word) {
  syscall(SYS_futex, lensed_low_half(word), FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/// Tells the processor that the thread waits for another one.
static inline void lensed_spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif

#endif
