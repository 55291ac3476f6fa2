/* SPDX-License-Identifier: BSD-3-Clause */
/* coll: collective calls. Arguments are checked already. */
#ifndef EP_COLL_COLL_H
#define EP_COLL_COLL_H

#include "coll/call.h"
#include "coll/neighbor.h"
#include "coll/operator.h"

/* Block until the collective call is complete. Takes over call's typed arrays and packed_copy. Raises errors. */
int coll_run(struct where w, const struct call *call, void *packed_copy);
/* Start it. The request's error is that of the call. */
int coll_start(struct where w, const struct call *call, void *packed_copy, ep_request *request);

#endif
