/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_CRT_PLACES_H
#define EP_CRT_PLACES_H

#include <stddef.h>

/* The CPUs that threads of this process may run on, into a set of so many bytes: the caller's own, and, where OpenMP binds threads to
 * places (OMP_PROC_BIND), those of all places, of which the caller may be bound to one. How many these are; 0: unknown. */
int places_cpus(unsigned long *set, size_t bytes);

#endif
