#pragma once

/// Tells the thread sanitizer that a lock was taken, or is about to be given back; nothing in other builds.
void CThreads_lock_taken(const void *lock);
void CThreads_lock_released(const void *lock);

/// Gives the calling thread a name; the system keeps 15 bytes.
void CThreads_name_current(const char *name);
