/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of which each endpoint gets copies: the program, those of its shared libraries that epcc built (they have
 * ep_image_mark), those that keep something for a process (stateful.h), and all that need one of these or use what it
 * defines: linked with the original, they would use its variables. Copies name each other by their paths.
 */
#ifndef EP_EPRUN_OBJECT_H
#define EP_EPRUN_OBJECT_H

#include "eprun/eprun.h"
#include "eprun/search.h"

struct need {
    struct need *next;
    size_t position;       /* its place in the dynamic section, as elf_string counts */
    size_t slot;           /* where the path of the object's copy goes */
    struct object *object; /* also one that is shared */
};

struct object {
    struct object *next;
    struct elf elf;         /* open where there are copies */
    char *path;             /* without symbolic links */
    const char *name;       /* the end of the path */
    char *soname, *wanted;  /* other names; NULL: it has none, nobody needs it */
    ElfW(Addr) mark;        /* built by epcc: a pointer to what ep_image_finish is in a program */
    struct need *needs;     /* in their order */
    size_t slots;           /* of needs and of elf_add_need */
    struct search_for from; /* for what it needs */
    bool by_origin, is_private;
    bool
        stays; /* one for all: it uses the MPI underneath, whose handles are the process's, or is used by such a one */
    bool dropped; /* nobody needs it by its name */
    int first_copy;
    /* while they are brought into order */
    bool visited;
    struct object *back;
    struct need *ahead;
};

/* Those of a program or a plug-in, each after those that it needs as far as they do not need each other, so the program
 * is the last one. */
struct objects {
    struct object *first, *root;
    const struct objects *outer; /* what was loaded before; NULL: nothing */
};

/* NULL after a message. */
struct objects *objects_of_program(const struct options *o);

/* What dlopen is to load. *shared: it is not private, and there is nothing. The root's copies need that many others beside
 * those that its file names, in the slots from root->slots on. NULL after a message, or shared. */
struct objects *objects_of_plugin(const struct options *o, const char *path, const struct objects *outer,
                                  size_t others, bool *shared);

/* By one of its names or its path without links, also in what was loaded before; NULL: it is none of them. */
struct object *objects_find(const struct objects *all, const char *name, const char *path);

/* Might a rank have a copy of what lies at that path, though none has? Also from a signal handler. */
bool object_is_shared(const char *path);

#endif
