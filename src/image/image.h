/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What epcc links into each program: functions of libc that keep something for the whole process, with that
 * something private to the image, which is to say to one endpoint.
 *
 * All names of libc here are weak: a program may define its own.
 */
#ifndef EP_IMAGE_H
#define EP_IMAGE_H

#include <stdbool.h>

#define WEAK __attribute__((weak))
#define HIDDEN __attribute__((visibility("hidden")))

/* A pointer to a function that is called before the constructors of the program and of libstdc++. */
#define BEFORE_CONSTRUCTORS __attribute__((section(".init_array.00001"), used))

/* Is stdin the process's? It is rank 0's; that of others is empty. */
HIDDEN bool stdin_is_process(void);

#endif
