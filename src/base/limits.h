/* SPDX-License-Identifier: BSD-3-Clause */
/* What the system lets a process have. */
#ifndef EP_BASE_LIMITS_H
#define EP_BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

/* May a file have so many bytes (ulimit -f)? Whoever makes one larger, also one in memory, is not told of an error by write or
 * ftruncate but ended (SIGXFSZ). */
bool file_may_have(size_t bytes);

/* Bytes that a process cannot have more of: the memory of the machine, the limit on addresses (ulimit -v). */
size_t memory_at_most(void);

#endif
