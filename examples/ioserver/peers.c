/* SPDX-License-Identifier: BSD-3-Clause */
/* peers.c: which blocks of clients and bands of servers overlap. */
#include "peers.h"

#include <stdlib.h>

/* A part of a block, as a datatype that begins at the block's first value. */
static MPI_Datatype part_of_block(struct block part, struct block block, int levels)
{
    int sizes[3] = {levels, block.num_rows, block.num_columns};
    int counts[3] = {levels, part.num_rows, part.num_columns};
    int starts[3] = {0, part.first_row - block.first_row, part.first_column - block.first_column};
    MPI_Datatype type;
    MPI_Type_create_subarray(3, sizes, counts, starts, MPI_ORDER_C, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    return type;
}

static void find_peers(struct peers *peers, const struct job *job, struct block own, int num_others,
                       struct block (*block_of)(const struct job *job, int rank))
{
    peers->num = 0;
    peers->peers = allocate(num_others, sizeof *peers->peers);
    for (int rank = 0; rank < num_others; rank++) {
        struct block part = block_common(own, block_of(job, rank));
        if (block_size(part, 1) == 0)
            continue;
        struct peer *peer = &peers->peers[peers->num++];
        peer->rank = rank;
        peer->types[0] = part_of_block(part, own, 1);
        peer->types[1] = part_of_block(part, own, job->grid.nz);
    }
}

void peers_of_client(struct peers *peers, const struct job *job, int client)
{
    find_peers(peers, job, client_block(job, client), job->num_servers, server_block);
}

void peers_of_server(struct peers *peers, const struct job *job, int server)
{
    find_peers(peers, job, server_block(job, server), job->num_clients, client_block);
}

void peers_free(struct peers *peers)
{
    for (int i = 0; i < peers->num; i++) {
        MPI_Type_free(&peers->peers[i].types[0]);
        MPI_Type_free(&peers->peers[i].types[1]);
    }
    free(peers->peers);
}
