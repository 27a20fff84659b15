// The kernel behind plain functions: packed epoll events, socket addresses, and what only _GNU_SOURCE declares.
#define _GNU_SOURCE
#include "CHTTP.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

int CHTTP_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int descriptor, uint32_t flags, uint64_t token) {
    struct epoll_event event = {.events = 0, .data.u64 = token};
    if (flags & CHTTP_READABLE) event.events |= EPOLLIN;
    if (flags & CHTTP_WRITABLE) event.events |= EPOLLOUT;
    if (flags & CHTTP_EDGE) event.events |= EPOLLET;
    return epoll_ctl(epoll, operation, descriptor, &event) == 0 ? 0 : errno;
}

int CHTTP_epoll_add(int epoll, int descriptor, uint32_t flags, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, flags, token);
}

int CHTTP_epoll_change(int epoll, int descriptor, uint32_t flags, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, flags, token);
}

int CHTTP_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0); }

int CHTTP_epoll_wait(int epoll, struct CHTTP_Event *events, int milliseconds) {
    struct epoll_event ready[CHTTP_EVENTS_MAX];
    int count = epoll_wait(epoll, ready, CHTTP_EVENTS_MAX, milliseconds);
    for (int index = 0; index < count; index++) {
        uint32_t broken = ready[index].events & (EPOLLERR | EPOLLHUP);
        uint32_t flags = broken ? CHTTP_READABLE | CHTTP_WRITABLE : 0;
        if (ready[index].events & EPOLLIN) flags |= CHTTP_READABLE;
        if (ready[index].events & EPOLLOUT) flags |= CHTTP_WRITABLE;
        events[index].token = ready[index].data.u64;
        events[index].flags = flags;
    }
    return count;
}

int CHTTP_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void CHTTP_eventfd_signal(int descriptor) {
    // It cannot fail: the counter would have to reach 2^64 - 1.
    ssize_t written = eventfd_write(descriptor, 1);
    (void)written;
}

int CHTTP_listen(const char *address, uint16_t port, int backlog) {
    struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const struct sockaddr *name;
    socklen_t name_bytes;
    if (inet_pton(AF_INET, address, &ipv4.sin_addr) == 1) {
        name = (const struct sockaddr *)&ipv4;
        name_bytes = sizeof ipv4;
    } else if (inet_pton(AF_INET6, address, &ipv6.sin6_addr) == 1) {
        name = (const struct sockaddr *)&ipv6;
        name_bytes = sizeof ipv6;
    } else {
        return -EINVAL;
    }
    int descriptor = socket(name->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int on = 1;
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        bind(descriptor, name, name_bytes) == 0 && listen(descriptor, backlog) == 0) {
        return descriptor;
    }
    int failure = errno;
    close(descriptor);
    return -failure;
}

int CHTTP_listen_beside(int other, int backlog) {
    struct sockaddr_storage name;
    socklen_t name_bytes = sizeof name;
    if (getsockname(other, (struct sockaddr *)&name, &name_bytes) != 0) return -errno;
    int descriptor = socket(name.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int on = 1;
    // The other one gets the option only now, so that it was refused an address that somebody else listens on.
    if (setsockopt(other, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
        bind(descriptor, (struct sockaddr *)&name, name_bytes) == 0 && listen(descriptor, backlog) == 0) {
        return descriptor;
    }
    int failure = errno;
    close(descriptor);
    return -failure;
}

uint16_t CHTTP_local_port(int descriptor) {
    struct sockaddr_storage name;
    socklen_t name_bytes = sizeof name;
    if (getsockname(descriptor, (struct sockaddr *)&name, &name_bytes) != 0) return 0;
    if (name.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&name)->sin6_port);
    return ntohs(((struct sockaddr_in *)&name)->sin_port);
}

size_t CHTTP_send(int descriptor, const void *bytes, size_t count) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 ? 0 : (size_t)sent;
}

void CHTTP_shut_write(int descriptor) { shutdown(descriptor, SHUT_WR); }

void CHTTP_shut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

bool CHTTP_peer_closed(int descriptor) {
    struct pollfd watched = {.fd = descriptor, .events = POLLRDHUP};
    return poll(&watched, 1, 0) > 0 && (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

void CHTTP_error_text(int number, char *into, size_t capacity) {
    snprintf(into, capacity, "%s", strerrordesc_np(number) ? strerrordesc_np(number) : "unknown error");
}
