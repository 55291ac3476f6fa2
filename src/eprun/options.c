/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of eprun. */
#include "eprun/eprun.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/cpus.h"

static const char usage[] =
    "usage: eprun [-n P] [-t T[,T...]] [options] [--] program [arguments]\n"
    "Runs an MPI program built by epcc, or a command that starts some, with T threads of each of P processes "
    "as its ranks.\n"
    "\n"
    "  -n, -np P          start P processes by mpirun; under mpirun: as many as it started (default)\n"
    "  -t T[,T...]        ranks per process; the last T is for all further processes (default: EP_THREADS, "
    "or 1)\n"
    "                     with EP_THREADS_PER_PROCESS=T, or all, and without -t: -n is the number of ranks\n"
    "  --bind HOW         auto (default), core, thread, none, or a list of CPUs such as 0-3,8\n"
    "  --tag-output       begin each line of output with the rank\n"
    "  --verbose          say where each rank runs\n"
    "  --stack SIZE       stack of each rank's main thread, in bytes or with k, m or g\n"
    "  --private LIST     shared libraries of which each rank gets its own copy, too (default: EP_PRIVATE)\n"
    "  --debug            for gdb: keep all that a debugger wants\n"
    "  --image-dir DIR    for valgrind: keep each rank's copy of the program as a file in DIR\n"
    "  --mpirun COMMAND   what starts processes (default: EP_MPIRUN, or the MPI library's)\n"
    "  --help, --version\n";

enum options_key {
    OPTIONS_PROCESSES,
    THREADS,
    BIND,
    OPTIONS_TAG,
    VERBOSE,
    STACK,
    DEBUG,
    IMAGES,
    MPIRUN,
    OPTIONS_PRIVATE,
    HELP,
    VERSION
};

static const struct options_known {
    const char *name;
    enum options_key key;
    bool valued;
} table[] = {
    {"-n", OPTIONS_PROCESSES, true},
    {"-np", OPTIONS_PROCESSES, true},
    {"-t", THREADS, true},
    {"--bind", BIND, true},
    {"--tag-output", OPTIONS_TAG, false},
    {"--verbose", VERBOSE, false},
    {"--stack", STACK, true},
    {"--debug", DEBUG, false},
    {"--image-dir", IMAGES, true},
    {"--mpirun", MPIRUN, true},
    {"--private", OPTIONS_PRIVATE, true},
    {"--help", HELP, false},
    {"-h", HELP, false},
    {"--version", VERSION, false},
};

/* A whole number of digits alone in [low, INT_MAX], up to end or a comma; -1: it is none. */
static int options_number(const char *text, int low, const char **end)
{
    char *stop;
    errno = 0;
    long n = isdigit((unsigned char)*text) ? strtol(text, &stop, 10) : -1;
    if (n < low || n > INT_MAX || errno != 0 || (*stop != 0 && *stop != ','))
        return -1;
    *end = stop;
    return (int)n;
}

static bool read_processes(struct options *o, const char *name, const char *value)
{
    const char *end;
    o->processes = options_number(value, 1, &end);
    if (o->processes > 0 && *end == 0)
        return true;
    message("%s %s: not a number of processes", name, value);
    return false;
}

static bool read_threads(struct options *o, const char *name, const char *value)
{
    bool any = false;
    free(o->threads);
    o->nthreads = 0;
    o->threads_by = name;
    o->threads = malloc((strlen(value) + 1) * sizeof *o->threads);
    for (const char *at = value; o->threads; at++) {
        int n = options_number(at, 0, &at);
        if (n < 0)
            break;
        o->threads[o->nthreads++] = n;
        any |= n > 0;
        if (*at == 0 && any)
            return true;
        if (*at == 0)
            break;
    }
    message(!o->threads ? "%s %s: no memory"
                        : "%s %s: not a list of ranks per process, such as 4 or 4,2, with one above 0",
            name, value);
    return false;
}

static bool read_stack(struct options *o, const char *name, const char *value)
{
    static const char units[] = "kmg";
    char *end = NULL;
    errno = 0;
    unsigned long long n = isdigit((unsigned char)*value) ? strtoull(value, &end, 10) : 0;
    const char *unit = end && *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (end)
        end += unit != NULL;
    if (n == 0 || errno || *end || n > (SIZE_MAX >> 1 >> shift) || n << shift < (size_t)PTHREAD_STACK_MIN) {
        message("%s %s: not a size of at least %zu bytes", name, value, (size_t)PTHREAD_STACK_MIN);
        return false;
    }
    o->stack = (size_t)n << shift;
    return true;
}

static bool read_bind(struct options *o, const char *name, const char *value)
{
    static const char *const words[] = {"auto", "core", "thread", "none"};
    int *cpus;
    o->bind = value;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(value, words[i]) == 0)
            return true;
    int n = cpulist_read(value, &cpus);
    if (n > 0) {
        free(cpus);
        return true;
    }
    message(n < 0 ? "%s %s: no memory"
                  : "%s %s: not auto, core, thread, none or a list of CPUs such as 0-3,8",
            name, value);
    return false;
}

static bool options_show(enum options_key key)
{
    if (key == HELP)
        fputs(usage, stdout);
    else
        puts("eprun (ep) " EPRUN_VERSION);
    exit(0);
}

static bool options_apply(struct options *o, const struct options_known *k, const char *value)
{
    switch (k->key) {
    case OPTIONS_PROCESSES:
        return read_processes(o, k->name, value);
    case THREADS:
        return read_threads(o, k->name, value);
    case BIND:
        return read_bind(o, k->name, value);
    case STACK:
        return read_stack(o, k->name, value);
    case OPTIONS_TAG:
        return o->tag_output = true;
    case VERBOSE:
        return o->verbose = true;
    case DEBUG:
        return o->debug = true;
    case IMAGES:
        o->image_dir = value;
        return true;
    case MPIRUN:
        o->mpirun = value;
        return true;
    case OPTIONS_PRIVATE:
        o->private_libraries = value;
        return true;
    default:
        return options_show(k->key);
    }
}

/* The option that arg spells, and where its value is if that is in the same word: --name=value, -t4. */
static const struct options_known *options_find(const char *arg, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t n = strlen(table[i].name);
        if (strncmp(arg, table[i].name, n) != 0)
            continue;
        if (arg[n] == 0)
            return &table[i];
        if (!table[i].valued || (arg[n] != '=' && (arg[1] == '-' || !isdigit((unsigned char)arg[n]))))
            continue;
        *value = arg + n + (arg[n] == '=');
        return &table[i];
    }
    return NULL;
}

/* argv[at] is an option: take it with its value. The index behind it; 0 after a message. */
static int options_take(struct options *o, char **argv, int at)
{
    const char *value;
    const struct options_known *k = options_find(argv[at], &value);
    if (!k) {
        message("%s: no such option; eprun --help lists them", argv[at]);
        return 0;
    }
    if (k->valued && !value && !(value = argv[++at])) {
        message("%s: its value is missing", k->name);
        return 0;
    }
    return options_apply(o, k, value) ? at + 1 : 0;
}

/* What a command around the program was started with. False after a message. */
static bool take_inherited(struct options *o)
{
    int n;
    char **words = command_options(&n);
    for (int at = 1; words && at < n;)
        if ((at = options_take(o, words, at)) == 0)
            return false;
    return true;
}

/* -n says how many ranks there are, each process has so many of them: the last one what is left. */
static bool options_spread(struct options *o, const char *text)
{
    static const char by[] = "EP_THREADS_PER_PROCESS";
    const char *end = "";
    int ranks = o->processes, width = strcmp(text, "all") == 0 ? ranks : options_number(text, 1, &end);
    if (width < 1 || *end != 0) {
        message("%s %s: not a number of ranks, or all", by, text);
        return false;
    }
    o->processes = (int)(((long)ranks + width - 1) / width);
    o->threads = calloc((size_t)o->processes, sizeof *o->threads);
    if (!o->threads) {
        message("%s %s: no memory", by, text);
        return false;
    }
    o->threads_by = by;
    o->nthreads = ranks % width ? o->processes : 1;
    for (int i = 0; i < o->nthreads; i++)
        o->threads[i] = width;
    if (ranks % width)
        o->threads[o->nthreads - 1] = ranks % width;
    return true;
}

/* Where -t does not say it. */
static bool find_threads(struct options *o)
{
    const char *threads = secure_getenv("EP_THREADS"), *width = secure_getenv("EP_THREADS_PER_PROCESS");
    if (width && *width && o->processes > 0 && !launch_is_under_mpirun())
        return options_spread(o, width);
    return read_threads(o, "EP_THREADS", threads && *threads ? threads : "1");
}

bool options_read(int argc, char **argv, struct options *o)
{
    int at = 1;
    *o = (struct options){.bind = "auto", .private_libraries = secure_getenv("EP_PRIVATE")};
    if (!take_inherited(o))
        return false;
    while (at < argc && argv[at][0] == '-' && argv[at][1] != 0 && strcmp(argv[at], "--") != 0)
        if ((at = options_take(o, argv, at)) == 0)
            return false;
    if (at < argc && strcmp(argv[at], "--") == 0)
        at++;
    if (at >= argc) {
        message("no program given; eprun --help shows how");
        return false;
    }
    o->program = argv + at;
    o->argc = argc - at;
    return o->threads || find_threads(o);
}
