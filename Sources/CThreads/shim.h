#pragma once
#include <sys/eventfd.h>

// Swift's own view of glibc leaves <sys/eventfd.h> out.
static inline int CThreads_eventDescriptor(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
