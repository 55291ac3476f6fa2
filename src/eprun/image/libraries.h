/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared libraries: where the dynamic linker would find one, and which keep something between calls. */
#ifndef EP_EPRUN_IMAGE_LIBRARIES_H
#define EP_EPRUN_IMAGE_LIBRARIES_H

#include <limits.h>

#include "eprun/eprun.h"
#include "eprun/image/elf.h"

/* Who needs it: an object, and what that was loaded for. */
struct search_for {
    const struct elf *elf;
    const char *path;
    const struct search_for *loader; /* NULL: nobody */
};

struct place {
    char path[PATH_MAX];
    bool by_origin; /* of the object's directory: a copy elsewhere would not find it */
};

/* False: nowhere. A name with a slash is a path. */
bool search(struct place *place, const struct search_for *object, const char *name);

/* Does it keep something and is not made for threads, so that each endpoint needs its own? Is it one of those
 * that eprun knows, or of --private? It has that name where it is needed, and lies there. */
bool stateful_is(const struct options *o, const char *name, const char *path);

/* Of these there can be only one in a process, whatever --private says. */
bool stateful_never(const char *name);

/* A language's run-time system, of which those that are one for all use another one. */
bool stateful_is_runtime(const char *name);

/* It may be one for all, whatever it needs. */
bool stateful_is_safe(const char *name);

#endif
