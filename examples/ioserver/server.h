/* SPDX-License-Identifier: BSD-3-Clause */
/* server.h: a server endpoint, from the first message of the clients to the last record. */
#ifndef SERVER_H
#define SERVER_H

#include "job.h"
#include "ranks.h"

struct server_result {
    int failed; /* not all that the clients gave is written; reason says why */
    int steps;  /* that all clients gave and, if it failed, that are written */
    char reason[OUTPUT_MESSAGE];
    double idle;    /* seconds of waiting for clients */
    double writing; /* seconds in the libraries that write; of the first server of a process */
    long long bytes;
    size_t memory; /* of buffers */
};

/* Collective over all servers (an intracommunicator) and clients (the other side of inter). */
struct server_result server_run(const struct job *job, ep_comm servers, ep_comm inter);

#endif
