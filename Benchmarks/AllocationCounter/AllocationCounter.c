#include "AllocationCounter.h"

#include <errno.h>
#if defined(__linux__)
#include <malloc.h>
#endif
#include <stddef.h>
#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||          \
    defined(__SANITIZE_HWADDRESS__) || __has_feature(address_sanitizer) ||     \
    __has_feature(hwaddress_sanitizer) || __has_feature(thread_sanitizer) ||   \
    __has_feature(memory_sanitizer) || __has_feature(leak_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#if defined(__linux__) && defined(__GLIBC__) && !SANITIZED

// Initial-exec, because the lazy kind of thread-local allocates on first use: inside `malloc`.
static _Thread_local uint64_t thread_count __attribute__((tls_model("initial-exec")));
static _Thread_local uint64_t thread_bytes __attribute__((tls_model("initial-exec")));
static uint64_t process_count;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

#define STANDS_IN __attribute__((visibility("default"), used))

static void *counted(void *block, size_t size) {
  if (block != NULL) {
    thread_count += 1;
    thread_bytes += size;
    __atomic_fetch_add(&process_count, 1, __ATOMIC_RELAXED);
  }
  return block;
}

STANDS_IN void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

STANDS_IN void *calloc(size_t count, size_t size) {
  // One that does not fit has failed.
  return counted(__libc_calloc(count, size), count * size);
}

STANDS_IN void *realloc(void *block, size_t size) {
  return counted(__libc_realloc(block, size), size);
}

STANDS_IN void free(void *block) { __libc_free(block); }

STANDS_IN void *memalign(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size), size);
}

STANDS_IN void *aligned_alloc(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size), size);
}

STANDS_IN int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  // The contract of this one is to report by its result and to leave `errno` as it was.
  int saved = errno;
  void *block = counted(__libc_memalign(alignment, size), size);
  errno = saved;
  if (block == NULL) {
    return ENOMEM;
  }
  *result = block;
  return 0;
}

bool allocation_counter_available(void) { return true; }
uint64_t allocation_counter_thread(void) { return thread_count; }
uint64_t allocation_counter_thread_bytes(void) { return thread_bytes; }
uint64_t allocation_counter_process(void) {
  return __atomic_load_n(&process_count, __ATOMIC_RELAXED);
}
void allocation_counter_trim(void) { malloc_trim(0); }

uint64_t allocation_counter_bytes(void) {
#if __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2();
#else
  struct mallinfo info = mallinfo();
#endif
  // Small blocks lie in arenas, large ones in pages of their own.
  return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}

#else

bool allocation_counter_available(void) { return false; }
uint64_t allocation_counter_thread(void) { return 0; }
uint64_t allocation_counter_thread_bytes(void) { return 0; }
uint64_t allocation_counter_process(void) { return 0; }
uint64_t allocation_counter_bytes(void) { return 0; }
void allocation_counter_trim(void) {}

#endif
