/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_EPRUN_CRASH_H
#define EP_EPRUN_CRASH_H

/* A stack for signal handlers of the calling thread: its own one may be what is used up. */
void crash_thread(void);

#endif
