/* SPDX-License-Identifier: BSD-3-Clause */
/* observe: who looks at the endpoints and changes nothing. The layers below tell it by comm/hooks.h. */
#ifndef EP_OBSERVE_OBSERVE_H
#define EP_OBSERVE_OBSERVE_H

#include "observe/trace.h"

/* Endpoints were made on parent, whose processes have agreed upon these settings: collective over it. May call MPI; no lock
 * is held. */
void observe_begin(MPI_Comm parent, const long agreed[SETTINGS_VOTES]);

/* An observer's own communicator of all processes, which parent has. False: not now, or it has one from another parent. */
bool observe_copy(struct lanes_claim *claim, MPI_Comm parent, MPI_Comm *comm);

#endif
