/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_hall.c CASE, by hall.sh: process 1 of two writes something wrong into the memory that it shares with process 0, which
 * must say what it is and end the job.
 */
#include <ep.h>
#include <stdlib.h>
#include <string.h>

#include "p2p/hall.h"

static void write_wrong(const char *what, ep_comm comm)
{
    struct mate *m = mates_first();
    struct parcel *p = parcel_get(4096);
    struct parcel_note note = {parcel_at(p), 4096, mates_name()};
    struct header h = {.context = comm->comm->context, .source = 1, .dest = 0, .kind = ARRIVAL_PARCEL};
    p->bytes = 4096;
    if (strcmp(what, "place") == 0)
        note.at = 1ull << 40;
    if (strcmp(what, "unaligned") == 0)
        note.at++;
    if (strcmp(what, "source") == 0)
        h.source = 1000000;
    if (strcmp(what, "parcel") == 0)
        p->bytes = 1ull << 40;
    if (strcmp(what, "returned") == 0)
        store_release(&hall_of(m)->returned, MATES_HALL_BYTES);
    uint64_t position = load_relaxed(&hall_of(m)->ring.tail);
    hall_push(hall_of(m), &h, &note, sizeof note);
    if (strcmp(what, "lines") == 0 || strcmp(what, "length") == 0) { /* of the next one */
        struct line *l = &hall_of(m)->line[(position + h.lines) % HALL_LINES];
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
    if (ep_comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm) != MPI_SUCCESS || !mates_first())
        return 77; /* nothing is shared here */
    ep_comm_rank(comm, &rank);
    if (rank == 1)
        write_wrong(argv[1], comm);
    /* Process 1 waits for ever. */
    ep_recv(big, 1024, MPI_INT, 1 - rank, rank == 1 ? 5 : 0, comm, EP_STATUS_IGNORE);
    ep_recv(big, 1024, MPI_INT, 1 - rank, 5, comm, EP_STATUS_IGNORE);
    return 0;
}
