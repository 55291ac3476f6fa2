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

/* Make a copy for an endpoint. False after a message. name is that of the original. */
bool copy_make(struct copy *copy, const struct elf *elf, const struct endpoint *e, const char *name);

/* After it is loaded, there: what all copies have in common is mapped from the original instead, so that
 * all endpoints and processes use the same memory. */
void copy_share(const struct copy *copy, const struct elf *elf, ElfW(Addr) base);

/* Is the process under one of the compilers' sanitizers? */
bool copy_is_sanitized(void);

/* Or under another tool that looks into it? */
bool copy_is_watched(void);

/* Remove the files in a temporary directory, before the process ends. */
void copy_clean(void);

#endif
