#pragma once

// What the load client needs from the kernel and glibc and Swift can't see: packed epoll events, socket addresses, and
// what only _GNU_SOURCE declares. Functions that fail return -errno.

#include <stddef.h>
#include <stdint.h>

/// One ready descriptor: what it was registered with, and whether it is ready to be written (else to be read).
struct CLoad_Event {
    uint64_t token;
    int is_writable;
    int is_readable;
};

/// The most events that one wait hands out.
enum { CLoad_events_max = 256 };

int CLoad_epoll_create(void);

/// Watches a descriptor for reading, or for writing too; `is_new` when it is not watched yet.
int CLoad_epoll_watch(int epoll, int descriptor, uint64_t token, int also_writable, int is_new);

/// Waits; the number of events, 0 after the time or a signal.
int CLoad_epoll_wait(int epoll, struct CLoad_Event *_Nonnull events, int milliseconds);

/// A connected, non-blocking TCP socket to 127.0.0.1, with TCP_NODELAY.
int CLoad_connect_loopback(uint16_t port);

/// Sends without a signal when the peer has gone; bytes taken, 0 when it would block, else -errno.
long CLoad_send(int descriptor, const void *_Nonnull bytes, size_t count);

/// Receives; bytes, 0 at the end of the stream, -EAGAIN when there is nothing yet, else -errno.
long CLoad_receive(int descriptor, void *_Nonnull bytes, size_t capacity);

/// CLOCK_MONOTONIC in nanoseconds.
int64_t CLoad_now(void);

/// CPU time of this process, user and system, in nanoseconds.
int64_t CLoad_cpu_time(void);

/// Where the needle begins in the haystack, or -1.
long CLoad_find(const void *_Nonnull haystack, size_t haystack_count, const void *_Nonnull needle, size_t needle_count);

/// Maps a whole file for reading; NULL and *count = -errno when that fails. An empty file fails with EINVAL.
const void *_Nullable CLoad_map(const char *_Nonnull path, long *_Nonnull count);

/// Takes back what CLoad_map gave.
void CLoad_unmap(const void *_Nonnull bytes, size_t count);
