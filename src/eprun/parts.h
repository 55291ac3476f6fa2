/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded copies of one endpoint: groups, each of a program or a plug-in with its libraries. */
#ifndef EP_EPRUN_PARTS_H
#define EP_EPRUN_PARTS_H

#include "eprun/copy.h"
#include "eprun/eprun.h"
#include "eprun/object.h"

struct part {
    const struct object *object;
    struct copy *copy;
    void *handle; /* for dlsym */
    ElfW(Addr) base;
    struct elf_calls calls; /* fini_count and fini: what is still to be called */
    void (*finish)(
        int status); /* atexit and its like (src/image/atexit.c); NULL: they are libc's, which calls them by
                                   its destructors */
};

struct copy_group {
    struct copy_group *older;
    const struct objects *objects;
    int n;
    struct part parts[]; /* libraries before those that need them, the root last */
};

/* Load copies of all objects that need, in the slots behind their own, those at the paths. Constructors are still to be
 * called. With the lock of image.h. NULL: after a message, or if that is none, with dlerror's text. */
struct copy_group *group_load(struct objects *objects, const struct eprun_rank *e, unsigned number,
                              const char *const paths[], size_t npaths, bool silent);
void group_construct(const struct copy_group *g, int argc, char **argv);
/* Each function is called once, also if one of them ends the program again. */
void group_finish(struct copy_group *g, int status);

struct part *group_root(struct copy_group *g);

#endif
