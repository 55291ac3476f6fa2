/* SPDX-License-Identifier: BSD-3-Clause */
/* client.h: a client endpoint, from the start data to the last step's output. */
#ifndef CLIENT_H
#define CLIENT_H

#include "job.h"
#include "ranks.h"
#include "report.h"

/* Collective over all clients and the servers on the other side of inter. */
void client_run(const struct job *job, ep_comm clients, ep_comm inter, struct result *result);

#endif
