/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends: of a thread of an endpoint, of the endpoint, of the process. */
#ifndef EP_EPRUN_END_H
#define EP_EPRUN_END_H

#include "eprun/eprun.h"

struct ending *ending_new(void);

/* Before the endpoints start; wait until all have ended well. */
void end_prepare(struct eprun_rank endpoints[], int n);
void end_wait(void);

/* Write out what all endpoints have written. */
void end_flush(void);

/* At once, without anything that the C library would do at the end. */
_Noreturn void end_process(int status);

#endif
