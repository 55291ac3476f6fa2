/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the dynamic linker would find a library. */
#ifndef EP_EPRUN_SEARCH_H
#define EP_EPRUN_SEARCH_H

#include <limits.h>

#include "eprun/elf_file.h"

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

#endif
