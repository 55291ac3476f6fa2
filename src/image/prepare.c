/* SPDX-License-Identifier: BSD-3-Clause */
/* What each image shows to eprun beside main (start.c has more). */
#include <unistd.h>

#include "image/image.h"

/* So the linker looks for main, in libraries as well, and says so where there is none. */
int main(int argc, char **argv);
extern int (*const ep_image_main)(int argc, char **argv);
int (*const ep_image_main)(int argc, char **argv) = main;

WEAK void *__cxa_get_globals(void);
void *ep_image_exceptions(void);

/* What its C++ run-time knows of the calling thread's exceptions. */
void *ep_image_exceptions(void)
{
    return __cxa_get_globals ? __cxa_get_globals() : NULL;
}

char **ep_image_prepare(int rank, char *argv0)
{
    (void)rank;
    (void)argv0;
    return environ;
}
