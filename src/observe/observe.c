/* SPDX-License-Identifier: BSD-3-Clause */
#include "observe/observe.h"

#include "observe/stats.h"
#include "observe/watchdog.h"

_Atomic unsigned observers;

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

void observe_begin(MPI_Comm parent, const long agreed[SETTINGS_VOTES])
{
    if (settings_voted(agreed, &settings.stats))
        stats_begin(parent);
    if (settings_voted(agreed, &settings.watchdog))
        watchdog_begin(parent);
    if (settings_voted(agreed, &settings.trace))
        trace_begin(parent);
}
