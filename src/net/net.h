/* SPDX-License-Identifier: BSD-3-Clause */
/* net: how processes reach each other, through memory that they share and by MPI (docs/net.md). What the layers above call. */
#ifndef EP_NET_NET_H
#define EP_NET_NET_H

#include "net/am.h"
#include "net/arrival.h"
#include "net/channel.h"
#include "net/defer.h"
#include "net/descriptor.h"
#include "net/peer.h"
#include "net/poll.h"
#include "net/ring.h"
#include "net/route.h"
#include "net/shm.h"

#endif
