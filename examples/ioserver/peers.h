/* SPDX-License-Identifier: BSD-3-Clause */
/* peers.h: who a client or server exchanges data with, and how they lie in its memory: no copy on either side. */
#ifndef PEERS_H
#define PEERS_H

#include "job.h"

struct peer {
    int rank;              /* in the other group */
    MPI_Datatype types[2]; /* what both have, in the own block: of fields of one level, and of all levels */
};

struct peers {
    int num;
    struct peer *peers;
};

void peers_of_client(struct peers *peers, const struct job *job, int client);
void peers_of_server(struct peers *peers, const struct job *job, int server);
void peers_free(struct peers *peers);

#endif
