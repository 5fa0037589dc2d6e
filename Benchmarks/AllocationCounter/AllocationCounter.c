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

static bool is_following;
static int64_t bytes_in_use;
static int64_t most_bytes;

// How much more, or less, is in use.
static void follow(int64_t bytes) {
  int64_t now = __atomic_add_fetch(&bytes_in_use, bytes, __ATOMIC_RELAXED);
  int64_t most = __atomic_load_n(&most_bytes, __ATOMIC_RELAXED);
  while (now > most && !__atomic_compare_exchange_n(&most_bytes, &most, now, true, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
  }
}

static bool following(void) { return __atomic_load_n(&is_following, __ATOMIC_RELAXED); }

static void *counted(void *block, size_t size) {
  if (block != NULL) {
    thread_count += 1;
    thread_bytes += size;
    __atomic_fetch_add(&process_count, 1, __ATOMIC_RELAXED);
    if (following()) {
      follow((int64_t)malloc_usable_size(block));
    }
  }
  return block;
}

STANDS_IN void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

STANDS_IN void *calloc(size_t count, size_t size) {
  // One that does not fit has failed.
  return counted(__libc_calloc(count, size), count * size);
}

STANDS_IN void *realloc(void *block, size_t size) {
  int64_t before = following() ? (int64_t)malloc_usable_size(block) : 0;
  void *result = counted(__libc_realloc(block, size), size);
  if (result != NULL && before > 0) {
    follow(-before);
  }
  return result;
}

STANDS_IN void free(void *block) {
  if (following()) {
    follow(-(int64_t)malloc_usable_size(block));
  }
  __libc_free(block);
}

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

void allocation_counter_peak_begin(void) {
  __atomic_store_n(&bytes_in_use, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&most_bytes, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&is_following, true, __ATOMIC_RELAXED);
}

int64_t allocation_counter_peak_now(void) {
  return __atomic_load_n(&bytes_in_use, __ATOMIC_RELAXED);
}

uint64_t allocation_counter_peak_end(void) {
  __atomic_store_n(&is_following, false, __ATOMIC_RELAXED);
  return (uint64_t)__atomic_load_n(&most_bytes, __ATOMIC_RELAXED);
}

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
void allocation_counter_peak_begin(void) {}
int64_t allocation_counter_peak_now(void) { return 0; }
uint64_t allocation_counter_peak_end(void) { return 0; }

#endif
