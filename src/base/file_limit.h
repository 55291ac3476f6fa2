/* SPDX-License-Identifier: BSD-3-Clause */
/* The limit on the size of files (ulimit -f), which also holds for files in memory. */
#ifndef EP_BASE_FILE_LIMIT_H
#define EP_BASE_FILE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/* May a file have so many bytes? Whoever makes one larger (write, ftruncate) is not told of an error but ended (SIGXFSZ). */
bool file_may_have(size_t bytes);

#endif
