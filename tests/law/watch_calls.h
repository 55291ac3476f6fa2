/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch_calls.h: what does the calling thread ask of libc and of the kernel? watch_calls.c puts its own
 * malloc, free and pthread_mutex_lock in front of libc's, and lets the kernel report system calls (syscall
 * user dispatch). Each thread is counted for itself.
 */
#ifndef EP_LAW_WATCH_CALLS_H
#define EP_LAW_WATCH_CALLS_H

typedef struct {
    int allocations, locks, system_calls;
    int system_call; /* number of the first one, or -1 */
} calls;

/* Which of them can be watched here: under sanitizers none. */
int watch_allocations(void);
int watch_system_calls(void);

/* Count from here to watch_end, in this thread. system_calls: 0 leaves them alone, for threads that may have
 * to wait; else the watch ends with the first one. */
void watch_begin(int system_calls);
calls watch_end(void);

#endif
