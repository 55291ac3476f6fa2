/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an endpoint runs: its image, which is groups of parts. A group is a program or a plug-in with its
 * libraries, a part the loaded copy of one file (object.c finds the files, copy.c writes copies, parts.c
 * loads them).
 */
#ifndef EP_EPRUN_IMAGE_IMAGE_H
#define EP_EPRUN_IMAGE_IMAGE_H

#include <limits.h>

#include "eprun/eprun.h"
#include "eprun/image/elf.h"
#include "eprun/image/libraries.h"

/*
 * ---- object.c: the files of which each endpoint gets copies: the program, those of its shared libraries
 * that epcc built (they have ep_image_mark), those that keep something for a process (libraries.h), and all
 * that need one of these or use what it defines: linked with the original, they would use its variables.
 * Copies name each other by paths.
 */

struct need {
    struct need *next;
    size_t position;       /* its place in the dynamic section, as elf_string counts; 0: the file does not name it */
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
    bool is_runtime; /* what stays and what is safe (libraries.h) uses another one */
    bool is_safe;
    /* One for all: it uses the MPI underneath, whose handles are the process's, or is used by such a one. */
    bool stays;
    bool dropped; /* nobody needs it by its name */
    int first_copy;
    bool visited; /* while they are brought into order */
};

/* Those of a program or a plug-in, each after those that it needs as far as they do not need each other, so
 * the program is the last one. */
struct objects {
    struct object *first, *root;
    const struct objects *outer; /* what was loaded before; NULL: nothing */
};

/* NULL after a message. */
struct objects *objects_of_program(const struct options *o);

/* What dlopen is to load. *shared: it is not private, and there is nothing. The root's copies need that
 * many others beside those that its file names, in the slots from root->slots on. NULL after a message, or
 * shared. */
struct objects *objects_of_plugin(const struct options *o, const char *path, const struct objects *outer,
                                  size_t others, bool *shared);

/* By one of its names or its path without links, also in what was loaded before; NULL: it is none of them. */
struct object *objects_find(const struct objects *all, const char *name, const char *path);

/* Might a rank have a copy of what lies at that path, though none has? Also from a signal handler. */
bool object_is_shared(const char *path);

/* ---- runtime.c: what copies of a run-time system call instead of functions of libc (src/eprun/fortran) ---- */

/* For elf_extend. */
size_t runtime_text_room(void);
/* False: no room. */
bool runtime_change(struct elf *elf);

/* ---- copy.c: files for copies; by their names the dynamic linker takes each for another object ---- */

struct copy {
    char path[PATH_MAX];
    int fd;      /* of a file in memory, which must stay open */
    bool memory; /* is it one? */
    bool whole;
};

/* A file for an endpoint's copy of what has that name; with a number where several may have the same. False
 * after a message. */
bool copy_make(struct copy *copy, const struct eprun_rank *e, const char *name, unsigned number);

/* The bytes that a path of any copy may have, with its end. Are copies whole, for tools? */
size_t copy_path_room(const struct options *o);
bool copy_is_whole(const struct options *o);

/* False after a message. */
bool copy_write(struct copy *copy, const struct elf *elf, const char *name);

/* After it is loaded, there: what all copies have in common is mapped from the original instead, so that all
 * endpoints and processes use the same memory; what copies have in another way, from the first of this
 * process. *first is that one's file, -1 before. False: what was not written could not be mapped; errno says why. */
bool copy_share(const struct copy *copy, const struct elf *elf, ElfW(Addr) base, int *first);

/* ---- parts.c ---- */

struct part {
    const struct object *object;
    struct copy copy;
    void *handle; /* for dlsym */
    ElfW(Addr) base;
    struct elf_calls calls; /* fini_count and fini: what is still to be called */
    /* atexit and its like (src/image/atexit.c); NULL: they are libc's, which calls them by its destructors */
    void (*finish)(int status);
};

struct copy_group {
    struct copy_group *older;
    const struct objects *objects;
    int n;
    struct part parts[]; /* libraries before those that need them, the root last */
};

/* Load copies of all objects that need, in the slots behind their own, those at the paths. Constructors are
 * still to be called. With image_lock. NULL: after a message, or if that is none, with dlerror's text. */
struct copy_group *group_load(struct objects *objects, const struct eprun_rank *e, unsigned number,
                              const char *const paths[], size_t npaths, bool silent);
void group_construct(const struct copy_group *g, int argc, char **argv);
/* Each function is called once, also if one of them ends the program again. */
void group_finish(struct copy_group *g, int status);

struct part *group_root(struct copy_group *g);
/* The first part, of this group or an older one, of which is_it is true for what; NULL: there is none. */
typedef bool part_test(const struct part *p, const void *what);
struct part *group_part(struct copy_group *g, part_test *is_it, const void *what);
bool part_has_base(const struct part *p, const void *base); /* ElfW(Addr) */
bool part_has_object(const struct part *p, const void *object);
bool part_has_address(const struct part *p, const void *address); /* ElfW(Addr) */

/* ---- data.c ---- */

/* Before the constructors of the program run: let others reach its variables, if it uses OpenSHMEM. False: no memory. */
bool image_share_data(struct copy_group *g, struct mpi_rank *rank);

/* ---- image.c ---- */

/* Objects that a plug-in sees beside its own libraries: the program, and what was opened with RTLD_GLOBAL.
 * Each of them needs those that were there when it was loaded, so few have to be named. */
struct seen {
    const char **paths;
    size_t n;
};

struct image {
    struct image *next; /* all that this process has */
    int (*main)(int argc, char **argv, char **envp);
    /* src/image/start.c */
    char **(*prepare)(void); /* gives main's third argument */
    void *(*exceptions)(void);
    char *(*getenv)(const char *name);
    int (*system)(const char *command);
    struct copy_group *program;
    struct copy_group *groups; /* with those of plug-ins in front; more may be added at any time, in front */
    /* with the lock */
    struct seen seen;
    unsigned copies;
};

struct copy_group *image_groups(const struct image *image);
void image_add(struct image *image, struct copy_group *g);

/* One endpoint at a time loads copies; it may do so again while it does. */
void image_lock(void);
void image_unlock(void);

/* Was what is loaded there loaded before the first copy? Then it belongs to eprun or to MPI. */
bool image_is_before(ElfW(Addr) base);

#endif
