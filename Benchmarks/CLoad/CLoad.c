#define _GNU_SOURCE
#include "CLoad.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int CLoad_epoll_create(void) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    return epoll < 0 ? -errno : epoll;
}

int CLoad_epoll_watch(int epoll, int descriptor, uint64_t token, int also_writable, int is_new) {
    struct epoll_event event = {.events = EPOLLIN | (also_writable ? EPOLLOUT : 0), .data.u64 = token};
    return epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) == 0 ? 0 : -errno;
}

int CLoad_epoll_wait(int epoll, struct CLoad_Event *events, int milliseconds) {
    struct epoll_event ready[CLoad_events_max];
    int count = epoll_wait(epoll, ready, CLoad_events_max, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index++) {
        events[index].token = ready[index].data.u64;
        events[index].is_writable = (ready[index].events & EPOLLOUT) != 0;
        // A broken connection shows itself when it is read.
        events[index].is_readable = (ready[index].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0;
    }
    return count;
}

int CLoad_connect_loopback(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int on = 1;
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
        connect(descriptor, (const struct sockaddr *)&address, sizeof address) == 0 &&
        fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0) {
        return descriptor;
    }
    int failure = errno;
    close(descriptor);
    return -failure;
}

long CLoad_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) return sent;
    return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

long CLoad_receive(int descriptor, void *bytes, size_t capacity) {
    ssize_t received = recv(descriptor, bytes, capacity, MSG_DONTWAIT);
    if (received >= 0) return received;
    return errno == EINTR ? -EAGAIN : -errno;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t CLoad_now(void) { return nanoseconds(CLOCK_MONOTONIC); }

int64_t CLoad_cpu_time(void) { return nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }

long CLoad_find(const void *haystack, size_t haystack_count, const void *needle, size_t needle_count) {
    const char *found = memmem(haystack, haystack_count, needle, needle_count);
    return found ? found - (const char *)haystack : -1;
}

const void *CLoad_map(const char *path, long *count) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        *count = -errno;
        return NULL;
    }
    struct stat status;
    void *bytes = MAP_FAILED;
    if (fstat(descriptor, &status) == 0) {
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    int failure = errno;
    close(descriptor);
    if (bytes == MAP_FAILED) {
        *count = -failure;
        return NULL;
    }
    *count = status.st_size;
    return bytes;
}

void CLoad_unmap(const void *bytes, size_t count) { munmap((void *)bytes, count); }
