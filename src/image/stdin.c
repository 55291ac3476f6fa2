/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin: the process's for rank 0; the others, as processes under mpirun, find it at its end. */
#include <dlfcn.h>
#include <ep.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dropin/dropin.h"
#include "image/image.h"

#undef stdin
WEAK FILE *stdin;

static void stdin_start(void)
{
    int rank = 0;
    FILE **of_process = dlsym(RTLD_DEFAULT, "stdin");
    if (ep_rank_bound())
        rank = ep_rank_number(ep_rank_bound());
    stdin = rank == 0 && of_process ? *of_process : fopen("/dev/null", "re");
    if (stdin)
        return;
    dprintf(STDERR_FILENO, "eprun: rank %d: no stdin: %s\n", rank,
            strerror(errno)); /* rank 0's is not its own */
    _exit(EXIT_FAILURE);
}

BEFORE_CONSTRUCTORS static void (*const at_start)(void) = stdin_start;
