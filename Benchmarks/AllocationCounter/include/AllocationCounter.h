#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Heap allocations, counted exactly by standing in for `malloc` and its siblings: a call that
// succeeds counts one, `realloc` included; `free` counts nothing. Only glibc lets a program stand in
// like this without losing its own allocator; elsewhere, and under a sanitizer (which stands there
// itself), both counts stay zero and `allocation_counter_available` says so.

/// Whether the counts mean anything in this build.
bool allocation_counter_available(void);

/// Allocations that the calling thread has made since it began.
///
/// Read it twice and subtract. Code that suspends in between may come back on another thread: for
/// that there is `allocation_counter_process`.
uint64_t allocation_counter_thread(void);

/// Bytes that the calling thread has asked of the allocator since it began.
uint64_t allocation_counter_thread_bytes(void);

/// Allocations that all threads have made since the process began.
uint64_t allocation_counter_process(void);

/// Bytes of the heap that the process uses, with what the allocator adds to each block.
///
/// Take the difference only while no other thread allocates.
uint64_t allocation_counter_bytes(void);

/// Begins to follow the bytes of the heap that all threads use, from zero.
void allocation_counter_peak_begin(void);

/// How many more bytes are in use than when it began; less than none if more was freed.
int64_t allocation_counter_peak_now(void);

/// Ends that, and returns how many more bytes were in use at most than when it began, at any moment in between.
///
/// What was there before and is freed meanwhile makes room.
uint64_t allocation_counter_peak_end(void);

/// Returns freed memory to the system, where the allocator can, so that new objects take new memory.
void allocation_counter_trim(void);

#endif
