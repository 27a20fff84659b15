// Shows the thread sanitizer what Synchronization.Mutex does when two threads meet.
//
// The fast paths of Mutex are inlined into our instrumented code; the slow ones live in libswiftSynchronization.so,
// which is not instrumented (Swift 6.3, Linux). A lock taken there orders nothing in the sanitizer's eyes, and it
// reports races between closures of withLock. Linked into the test program by scripts/sanitize, these functions stand
// before the library's, call them, and tell the sanitizer about the order. They hide nothing: what is not done under
// the same mutex is still reported.
//
// The names are those of Synchronization._MutexHandle's methods _lockSlow(UInt32), _tryLockSlow() -> Bool and
// _unlockSlow(). Should a later library drop them, the look-up ends the process with a sentence.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Of the sanitizer's run time. The handle begins with its atomic word, so that its address names the same clock as the
// atomic operations of the fast paths.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void mutexLockSlow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT bool mutexTryLockSlow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void mutexUnlockSlow(SELF) __asm__(UNLOCK_SLOW);

static void *original(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "tsan-mutex.c: the Swift library has no %s: adapt this file to its version of Mutex.\n", name);
    abort();
  }
  return function;
}

SWIFT void mutexLockSlow(uint32_t thread, SELF) {
  ((SWIFT void (*)(uint32_t, SELF))original(LOCK_SLOW))(thread, self);
  __tsan_acquire(self);
}

SWIFT bool mutexTryLockSlow(SELF) {
  bool isLocked = ((SWIFT bool (*)(SELF))original(TRY_LOCK_SLOW))(self);
  if (isLocked) __tsan_acquire(self);
  return isLocked;
}

SWIFT void mutexUnlockSlow(SELF) {
  __tsan_release(self);
  ((SWIFT void (*)(SELF))original(UNLOCK_SLOW))(self);
}
