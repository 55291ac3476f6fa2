/* SPDX-License-Identifier: BSD-3-Clause */
/* Arcs of all processes come to process 0 of MPI_COMM_WORLD, called from the watchdogs' threads. */
#include "observe/observe.h"
#include "observe/watchdog.h"

/* Sends that process 0 has not received are still there at the end of MPI, as is the communicator: it belongs to a program that
 * hangs, or to one that is being ended. */
static struct {
    struct lanes_claim claim; /* whose is what follows */
    MPI_Comm comm;
    _Atomic bool open; /* comm is set: release watchdog_meet, acquire watchdog_gathers */
    int rank;
    struct arcs out; /* in the send that is under way */
    MPI_Request sending;
} line = {.comm = MPI_COMM_NULL, .sending = MPI_REQUEST_NULL};

void watchdog_meet(MPI_Comm parent)
{
    int free_to_call = !process.gated, all = 0;
    if (!observe_copy(&line.claim, parent, &line.comm))
        return;
    MPI_Comm_rank(line.comm, &line.rank);
    MPI_Allreduce(&free_to_call, &all, 1, MPI_INT, MPI_MIN, line.comm);
    if (all)
        store_release(&line.open, true);
    else
        lanes_undo(&line.comm); /* nor by another parent: the claim stays */
}

bool watchdog_gathers(void)
{
    return load_acquire(&line.open) && line.rank == 0;
}

bool watchdog_gathered(void)
{
    return load_acquire(&line.open);
}

bool watchdog_send(const struct arcs *e)
{
    int done = 1;
    if (line.sending != MPI_REQUEST_NULL)
        MPI_Test(&line.sending, &done, MPI_STATUS_IGNORE);
    if (!done)
        return false;
    line.out = *e;
    MPI_Isend(line.out.arc, e->n * (int)sizeof *e->arc, MPI_BYTE, 0, 0, line.comm, &line.sending);
    return true;
}

bool watchdog_receive(struct arcs *e)
{
    int flag = 0, bytes = 0;
    MPI_Message message;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, 0, line.comm, &flag, &message, &status) != MPI_SUCCESS || !flag)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Mrecv(e->arc, (int)sizeof e->arc, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    e->n = bytes / (int)sizeof *e->arc;
    return true;
}
