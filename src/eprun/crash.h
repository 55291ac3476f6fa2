/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_EPRUN_CRASH_H
#define EP_EPRUN_CRASH_H

/* A stack for signal handlers of the calling thread: its own one may be what is used up. */
void crash_thread(void);
void crash_thread_ends(void);

/* Below a stack lies another endpoint's. What a rank puts there with a frame larger than the usual guard of a page would
 * be that one's; address space costs nothing. */
enum { STACK_GUARD = 64 << 20 };

#endif
