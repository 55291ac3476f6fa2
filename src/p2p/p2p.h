/* SPDX-License-Identifier: BSD-3-Clause */
/* p2p: one message, step by step. What the layers above call; arguments are checked already. */
#ifndef EP_P2P_P2P_H
#define EP_P2P_P2P_H

#include "datatype/datatype.h"
#include "p2p/progress/async.h"
#include "p2p/buffered.h"
#include "p2p/complete.h"
#include "p2p/endpoint_views.h"
#include "p2p/far/far.h"
#include "p2p/progress/later.h"
#include "p2p/progress/memory.h"
#include "p2p/match.h"
#include "p2p/message.h"
#include "p2p/endpoint.h"
#include "p2p/probe.h"
#include "p2p/progress/progress.h"
#include "p2p/quick.h"
#include "p2p/recv.h"
#include "p2p/request.h"
#include "p2p/send.h"
#include "p2p/progress/wait.h"
#include "p2p/progress/work.h"

#endif
