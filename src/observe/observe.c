/* SPDX-License-Identifier: BSD-3-Clause */
#include "observe/observe.h"

#include "observe/stats.h"
#include "observe/watchdog.h"

_Atomic unsigned observers; /* acq_rel stats_begin, watchdog_begin, begin_recording; read relaxed */

const struct hooks hooks = {
    .opened = trace_opened,
    .closed = stats_keep,
    .waits = watchdog_waits,
    .waited = watchdog_waited,
    .arrived = trace_arrived,
    .received = trace_received,
    .unexpected = trace_unexpected,
    .cancelled = trace_cancelled,
};

bool observe_copy(struct lanes_claim *claim, MPI_Comm parent, MPI_Comm *comm)
{
    if (!lanes_claim(claim, parent))
        return false;
    if (lanes_copy_parent(parent, process.rank, MPI_SUCCESS, comm) == MPI_SUCCESS)
        return true;
    lanes_unclaim(claim);
    return false;
}

void observe_begin(MPI_Comm parent, const long agreed[SETTINGS_VOTES])
{
    bool stats = settings_voted(agreed, &settings.stats),
         watchdog = settings_voted(agreed, &settings.watchdog),
         trace = settings_voted(agreed, &settings.trace);
    int relation;
    if (likely(!stats && !watchdog && !trace))
        return;
    mpi_enter(); /* but no lock, what follows is collective: other threads may be at it on other communicators */
    MPI_Comm_compare(parent, MPI_COMM_WORLD, &relation);
    bool all = relation != MPI_UNEQUAL;
    if (stats)
        stats_begin(all);
    if (watchdog)
        watchdog_begin(parent, all);
    if (trace)
        trace_begin(parent, all);
    mpi_leave();
}
