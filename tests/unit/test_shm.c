/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_shm.c CASE, by shm.sh: process 1 of two writes something wrong into the memory that it shares with process 0, which
 * must say what it is and end the job.
 */
#include <ep.h>
#include <stdlib.h>
#include <string.h>

#include "net/net.h"

static void write_wrong(const char *what, ep_comm comm)
{
    struct net_peer *m = net_peers();
    struct net_descriptor *d = net_descriptor_get(4096);
    struct header h = {.context = comm->comm->context, .source = 1, .dest = 0, .kind = ARRIVAL_DESCRIPTOR};
    d->address = 0;
    d->bytes = 4096;
    if (strcmp(what, "address") == 0) {
        d->address = 8;
        h.kind = ARRIVAL_AM_APART;
    }
    struct net_note note = net_descriptor_note(d);
    if (strcmp(what, "place") == 0)
        note.at = 1ull << 40;
    if (strcmp(what, "unaligned") == 0)
        note.at++;
    if (strcmp(what, "source") == 0)
        h.source = 1000000;
    if (strcmp(what, "descriptor") == 0)
        d->bytes = 1ull << 40;
    if (strcmp(what, "returned") == 0)
        store_release(&m->shm->returned, NET_SEGMENT_BYTES);
    if (strcmp(what, "handler") == 0)
        h.kind = ARRIVAL_AM;
    uint64_t position = load_relaxed(&m->shm->ring.tail);
    net_shm_push(m->shm, &h, &note, sizeof note);
    if (strcmp(what, "lines") == 0 || strcmp(what, "length") == 0) { /* of the next one */
        struct line *l = &m->shm->line[(position + h.lines) % NET_SHM_LINES];
        h.inline_bytes = *what == 'l' && what[1] == 'e' ? 60000 : 8;
        h.lines = what[1] == 'i' ? 0 : 1;
        h.tag = 1;
        l->head.header = h;
        ring_complete(l, position + 1);
    }
}

int main(int argc, char **argv)
{
    int provided, rank, big[1024];
    ep_comm comm;
    ep_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (ep_comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm) != MPI_SUCCESS || !net_peers())
        return 77; /* nothing is shared here */
    ep_comm_rank(comm, &rank);
    if (rank == 1)
        write_wrong(argv[1], comm);
    /* Process 1 waits for ever. */
    ep_recv(big, 1024, MPI_INT, 1 - rank, rank == 1 ? 5 : 0, comm, EP_STATUS_IGNORE);
    ep_recv(big, 1024, MPI_INT, 1 - rank, 5, comm, EP_STATUS_IGNORE);
    return 0;
}
