/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks from the side of those who want them: the way to the target lock (lock.h) of a near or far target. */
#ifndef EP_RMA_LOCK_REQUEST_H
#define EP_RMA_LOCK_REQUEST_H

#include "rma/window.h"

/* Block until win's endpoint has locked target. MPI_ERR_NO_MEM: it has not; nothing is raised. No lock is held. */
int lock_request_wait(ep_win win, int target, enum lock_kind kind);

/* Give the lock back. All that was done under it must be complete, but where the target has to be asked for it (struct exposed):
 * there what was sent before is carried out before, and what is awaited must have come. With ask such a target will
 * acknowledge it (channel_wait waits for that, too). MPI_ERR_NO_MEM: the lock is still held. */
int lock_request_release(ep_win win, int target, enum lock_kind kind, bool ask);

#endif
