/* SPDX-License-Identifier: BSD-3-Clause */
/* Files for copies of a program: each has its own name, so that the dynamic linker takes it for another object. */
#ifndef EP_EPRUN_COPY_H
#define EP_EPRUN_COPY_H

#include "eprun/elf_file.h"
#include "eprun/eprun.h"

/* Make a copy for an endpoint; its name goes to path. False after a message. name is that of the original. */
bool copy_make(const struct elf *elf, const struct endpoint *e, const char *name, char *path, size_t size);

/* Remove the files in a temporary directory, before the process ends. */
void copy_clean(void);

#endif
