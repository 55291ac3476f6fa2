/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP_ASYNC_PROGRESS=1, or ep_iwait_event outside of task mode: one helper thread per process, while it has endpoints, that serves what others want of them when
 * all their threads are elsewhere. MPI promises such progress for passive targets only loosely (MPI 11.7.3); without
 * the helper it takes a call of ep by any endpoint of the process.
 *
 * Nobody can wake it when an MPI message arrives, so it looks. It looks again and again shortly after it served something,
 * as who got an answer often asks again; then it naps, the longer the less happens, at most half a millisecond. When
 * others have polled MPI during its nap it leaves that to them: a thread that waits in ep polls much more often, and two
 * would be in each other's way.
 *
 * Not with MPI_THREAD_FUNNELED: no other thread may call MPI there. With MPI_THREAD_SERIALIZED the helper and the calls of ep
 * exclude each other, but calls that the program makes to MPI itself are not known here: it must make none while it
 * has endpoints.
 */
#ifndef EP_P2P_ASYNC_H
#define EP_P2P_ASYNC_H

#include "base/base.h"

/* So many endpoints more in this process. May call MPI; no lock is held. */
void async_begin(int endpoints);

/* An endpoint less. The helper is gone when it was the last. No lock is held. */
void async_end(void);

/* Have the helper, whatever the setting: something is to be done when a request ends for which nobody waits in ep. Likewise. */
void async_need(void);

#endif
