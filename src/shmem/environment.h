/* SPDX-License-Identifier: BSD-3-Clause */
/* The standard's environment variables (OpenSHMEM 1.5, 8), of which the older names SMA_... count, too. */
#ifndef EP_SHMEM_ENVIRONMENT_H
#define EP_SHMEM_ENVIRONMENT_H

#include "shmem/pe.h"

/* A size as SHMEM_SYMMETRIC_SIZE has it: a number, which may have a fraction, and K, M, G or T. False: it is none, or more than there
 * are addresses. */
bool environment_size(const char *text, size_t *bytes);

/* Bytes of the symmetric heap that the environment wants, 0: it says nothing. An error class, raised. */
int environment_read(struct shmem_pe *pe, const char *call, size_t *heap_bytes);

/* What SHMEM_VERSION and SHMEM_INFO have PE 0 print on stdout. */
void environment_tell(const struct shmem_pe *pe);

#endif
