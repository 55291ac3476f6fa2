/* SPDX-License-Identifier: BSD-3-Clause */
/* Files for copies of a program: each has its own name, so that the dynamic linker takes it for another
 * object. */
#ifndef EP_EPRUN_COPY_H
#define EP_EPRUN_COPY_H

#include <limits.h>

#include "eprun/elf_file.h"
#include "eprun/eprun.h"

struct copy {
    char path[PATH_MAX];
    int fd;      /* of a file in memory, which must stay open */
    bool memory; /* is it one? */
    bool whole;  /* for tools */
};

/* A file for an endpoint's copy of what has that name; with a number where several may have the same. False after a
 * message. */
bool copy_make(struct copy *copy, const struct eprun_rank *e, const char *name, unsigned number);

/* The bytes that a path of any copy may have, with its end. */
size_t copy_path_room(const struct options *o);

/* False after a message. */
bool copy_write(struct copy *copy, const struct elf *elf, const char *name);

/* After it is loaded, there: what all copies have in common is mapped from the original instead, so that
 * all endpoints and processes use the same memory; what copies have in another way, from the first of this process.
 * *first is that one's file, -1 before. */
void copy_share(const struct copy *copy, const struct elf *elf, ElfW(Addr) base, int *first);

/* Is the process under one of the compilers' sanitizers? */
bool copy_is_sanitized(void);

/* Or under another tool that looks into it? */
bool copy_is_watched(void);

/* Remove the files in a temporary directory, before the process ends. */
void copy_clean(void);

#endif
