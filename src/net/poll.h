/* SPDX-License-Identifier: BSD-3-Clause */
/* Polling: one thread of the process at a time looks at what other processes have sent. Who holds the lock polls. */
#ifndef EP_NET_POLL_H
#define EP_NET_POLL_H

#include "comm/comm.h"

extern struct lock net_poll_lock;

#endif
