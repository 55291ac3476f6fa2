/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather.h: a server's receives. Message m of a stream (from 0) comes into buffer m % 2, a part from each client whose
 * block overlaps the server's band; the receives of two messages are posted at any time. Beside them there is one
 * for the clients' ends (protocol.h).
 */
#ifndef GATHER_H
#define GATHER_H

#include "job.h"
#include "peers.h"
#include "protocol.h"
#include "ranks.h"

struct gather_stream {
    float *buffers[2];
    ep_request *receives[2]; /* one for each peer, and room for one more */
    int posted;              /* messages whose receives were ever posted */
};

struct gather {
    const struct job *job;
    ep_comm inter;
    struct peers peers; /* clients */
    struct gather_stream *streams;
    struct end *end; /* the one that came last */
    ep_request ending;
    int num_ended;
    int steps;                   /* that all clients have given or may still give */
    char reason[OUTPUT_MESSAGE]; /* the first that a client gave for its early end */
    int *sent;   /* [client * streams + stream]: messages in all, of clients that have ended */
    double idle; /* seconds of waiting */
    size_t memory;
};

void gather_open(struct gather *gather, const struct job *job, int server, ep_comm inter);
/* Beyond the last message of the run: nothing. */
void gather_post(struct gather *gather, int stream, int message);

/* Wait until all parts of the message are there, or a client has ended (gather->end), one more than noted before. */
enum { GATHER_VALUES, GATHER_END };
int gather_next(struct gather *gather, int stream, int message);
static inline const float *gather_values(const struct gather *gather, int stream, int message)
{
    return gather->streams[stream].buffers[message % 2];
}

/* Wait until all clients have ended; gather->steps is then what the first of them gave. */
void gather_all_ends(struct gather *gather);
/* After all have ended: receive and drop what is still under way. */
void gather_close(struct gather *gather);

#endif
