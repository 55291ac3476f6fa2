/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of calls that complete requests: statuses, handles, errors. No lock is held. */
#ifndef EP_API_FINISH_H
#define EP_API_FINISH_H

#include "api/check.h"

/* Finish *r, which has ended or is inactive, and report its error. */
int finish_one(ep_request *r, ep_status *status, const char *call);
/* Finish all of them, in order: MPI_ERR_IN_STATUS if any failed. */
int finish_all(const char *call, int count, ep_request requests[], ep_status statuses[]);

#endif
