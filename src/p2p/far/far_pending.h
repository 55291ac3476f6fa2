/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to the far files: MPI requests under way. */
#ifndef EP_P2P_FAR_PENDING_H
#define EP_P2P_FAR_PENDING_H

#include "p2p/request.h"

/* far.c */
void far_start(ep_request r);
/* After an operation was started with result rc: complete r if it is done, else leave it to the polls. */
void far_settle(ep_request r, int rc);
void far_finish(ep_request r, int rc, const MPI_Status *status);

/* Hand over a request, started or still to be started by the main thread. Any thread. */
void pending_push(ep_request r);
bool pending_any(void);
/* FUNNELED: operations wait for the main thread, so later ones must queue behind them. */
bool pending_waits_for_start(void);

/* The following under the poll lock. */

/* Take over what was pushed, start what is to be started, test a window of requests. True if any
 * completed. */
bool pending_test(void);
void pending_cancel(const struct request_send *s);
/* Take back what has not been started. False: it has been. */
bool pending_withdraw(struct request_send *s);
/* Is a synchronous send with the envelope of s among them, or s one? */
bool pending_has_sync(const struct request_send *s);
/* Start what waits for it, before its communicator goes. */
void pending_start_all(void);

#endif
