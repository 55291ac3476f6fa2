/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints of files (MPI 13.2.8): what the program says in an info, as numbers. */
#ifndef EP_IO_HINTS_H
#define EP_IO_HINTS_H

#include "io/file.h"

void file_hints_init(struct file_hints *h);
/* What info says of it. What makes no sense there is ignored, as MPI wants it. */
void file_hints_read(struct file_hints *h, MPI_Info info);

#endif
