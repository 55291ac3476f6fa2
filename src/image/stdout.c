/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stdout and stderr are the process's. They stand here for objects of plain compilers, which were not
 * compiled for a shared object and so can only use variables of their own one.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "image/image.h"

#undef stdout
#undef stderr
WEAK FILE *stdout, *stderr;

static FILE *of_process(const char *name)
{
    FILE **stream = dlsym(RTLD_DEFAULT, name);
    return stream ? *stream : NULL;
}

static void stdout_start(void)
{
    stdout = of_process("stdout");
    stderr = of_process("stderr");
}

BEFORE_CONSTRUCTORS static void (*const at_start)(void) = stdout_start;
