/* SPDX-License-Identifier: BSD-3-Clause */
/* p2p: one message, step by step. What the layers above call; arguments are checked already. */
#ifndef EP_P2P_P2P_H
#define EP_P2P_P2P_H

#include "datatype/datatype.h"
#include "p2p/async.h"
#include "p2p/buffered.h"
#include "p2p/complete.h"
#include "p2p/endpoint_views.h"
#include "p2p/far.h"
#include "p2p/later.h"
#include "p2p/match.h"
#include "p2p/message.h"
#include "p2p/endpoint.h"
#include "p2p/probe.h"
#include "p2p/progress.h"
#include "p2p/recv.h"
#include "p2p/request.h"
#include "p2p/send.h"
#include "p2p/wait.h"
#include "p2p/work.h"

#endif
