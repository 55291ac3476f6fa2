/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared libraries that keep something between calls and are not made for threads: each endpoint needs its own. */
#ifndef EP_EPRUN_STATEFUL_H
#define EP_EPRUN_STATEFUL_H

#include "eprun/eprun.h"

/* Is it one of those that eprun knows, or of --private? It has that name where it is needed, and lies there. */
bool stateful_is(const struct options *o, const char *name, const char *path);

/* Of these there can be only one in a process, whatever --private says. */
bool stateful_never(const char *name);

#endif
