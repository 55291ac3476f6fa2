/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of somebody else, with a variable, and two ways to crash. */
#include <stdlib.h>
#include <string.h>

int counter_next(void);
void counter_crash(const char *how);

static int next;
static int *volatile nowhere;

int counter_next(void)
{
    return __atomic_add_fetch(&next, 1, __ATOMIC_RELAXED);
}

void counter_crash(const char *how)
{
    if (strcmp(how, "abort") == 0)
        abort();
    *nowhere = 1;
}
