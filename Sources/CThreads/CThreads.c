#define _GNU_SOURCE
#include "CThreads.h"

#include <pthread.h>

#if __has_feature(thread_sanitizer)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void CThreads_lock_taken(const void *lock) { __tsan_acquire((void *)lock); }
void CThreads_lock_released(const void *lock) { __tsan_release((void *)lock); }
#else
void CThreads_lock_taken(const void *lock) { (void)lock; }
void CThreads_lock_released(const void *lock) { (void)lock; }
#endif

void CThreads_name_current(const char *name) { pthread_setname_np(pthread_self(), name); }
