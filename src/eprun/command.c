/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that are no program of epcc but start some: scripts (libtool's in build trees), env, make. Each process executes the
 * command once, as with mpirun, and the programs find in the environment what eprun was told. They start eprun
 * themselves (src/image/start.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/elf_file.h"
#include "eprun/eprun.h"

/* Options between newlines, for the eprun of a program that a command starts. */
static const char inherited[] = "EPRUN_OPTIONS";

bool command_is_one(const struct options *o)
{
    return elf_is_command(o->path);
}

/* All but the number of ranks, which EP_THREADS says, so that a script can say otherwise. */
static bool export_options(const struct options *o, char **argv)
{
    size_t size = 1;
    for (char **at = argv + 1; at < o->program; at++)
        size += strlen(*at) + 1;
    char *text = calloc(1, size), *end = text, **words = calloc(size, sizeof *words);
    int n = words ? launch_copy_options(o, argv, words) : 0;
    for (int i = 0; text && i < n; i++)
        end += sprintf(end, "%s%s", i ? "\n" : "", words[i]);
    bool good = text && words && (n > 0 ? setenv(inherited, text, 1) : unsetenv(inherited)) == 0;
    free(words);
    free(text);
    return good;
}

int command_run(const struct options *o, char **argv)
{
    char *threads = launch_threads(o);
    if (!threads || setenv("EP_THREADS", threads, 1) != 0 || !export_options(o, argv) ||
        setenv("EPRUN", launch_own_path(argv), 0) != 0) {
        message("%s: no memory", o->path);
        return 126;
    }
    execvp(
        o->path,
        o->program); /* with a / in it: not searched, but given to a shell where it is a script without #! */
    message("%s: %s", o->path, strerror(errno));
    return 126;
}

char **command_options(int *n)
{
    const char *given = secure_getenv(inherited);
    char *text = given ? strdup(given) : NULL, *rest;
    char **words = text ? calloc(strlen(text) + 2, sizeof *words) : NULL;
    *n = 1; /* as in argv, where the first one is the program */
    for (char *w = words ? strtok_r(text, "\n", &rest) : NULL; w; w = strtok_r(NULL, "\n", &rest))
        words[(*n)++] = w;
    unsetenv(inherited);
    return words;
}
