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

#include "eprun/places.h"

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

static _Noreturn bool show_help(struct options *o, const char *name, const char *value);

static _Noreturn bool show_version(struct options *o, const char *name, const char *value)
{
    (void)o, (void)name, (void)value;
    puts("eprun (ep) " EPRUN_VERSION);
    exit(0);
}

/* docs/eprun.md says more of each; tests/dropin/options.sh looks whether all are there. */
static const struct option {
    const char *name;
    const char *argument; /* NULL: it has none */
    const char *meaning;  /* for --help */
    /* What it does: false after a message. value: NULL without an argument. */
    bool (*read)(struct options *o, const char *name, const char *value);
    /* if read is NULL: that text of struct options is the value; without an argument: that bool is true */
    size_t field;
} table[] = {
    {"-n", "P", "start P processes by mpirun; under mpirun: as many as it started (default)",
     .read = read_processes},
    {"-np", "P", "the same", .read = read_processes},
    {"-t", "T[,T...]",
     "ranks per process; the last T is for all further processes (default: EP_THREADS, or 1)",
     .read = read_threads},
    {"--bind", "HOW", "auto (default), core, thread, none, or a list of CPUs such as 0-3,8",
     .read = read_bind},
    {"--tag-output", NULL, "begin each line of output with the rank",
     .field = offsetof(struct options, tag_output)},
    {"--verbose", NULL, "say where each rank runs", .field = offsetof(struct options, verbose)},
    {"--stack", "SIZE", "stack of each rank's main thread, in bytes or with k, m or g", .read = read_stack},
    {"--private", "LIST", "shared libraries of which each rank gets its own copy, too (default: EP_PRIVATE)",
     .field = offsetof(struct options, private_libraries)},
    {"--debug", NULL, "for gdb: keep all that a debugger wants", .field = offsetof(struct options, debug)},
    {"--image-dir", "DIR", "for valgrind: keep each rank's copy of the program as a file in DIR",
     .field = offsetof(struct options, image_dir)},
    {"--mpirun", "COMMAND", "what starts processes (default: EP_MPIRUN, or the MPI library's)",
     .field = offsetof(struct options, mpirun)},
    {"--help", NULL, "say this", .read = show_help},
    {"-h", NULL, "the same", .read = show_help},
    {"--version", NULL, "say which eprun this is", .read = show_version},
};
enum { OPTIONS = sizeof table / sizeof *table };

static _Noreturn bool show_help(struct options *o, const char *name, const char *value)
{
    (void)o, (void)name, (void)value;
    puts("usage: eprun [-n P] [-t T[,T...]] [options] [--] program [arguments]\n"
         "Runs an MPI program built by epcc, or a command that starts some, with T threads of each of P\n"
         "processes as its ranks. With EP_THREADS_PER_PROCESS=T, or all, and without -t: -n is the number\n"
         "of ranks.\n");
    for (const struct option *k = table; k < table + OPTIONS; k++)
        printf("  %s %-*s %s\n", k->name, 17 - (int)strlen(k->name), k->argument ? k->argument : "",
               k->meaning);
    exit(0);
}

static bool options_apply(struct options *o, const struct option *k, const char *value)
{
    if (k->read)
        return k->read(o, k->name, value);
    if (k->argument)
        memcpy((char *)o + k->field, &value, sizeof value);
    else
        *(bool *)((char *)o + k->field) = true;
    return true;
}

/* The option that arg spells, and where its value is if that is in the same word: --name=value, -t4. */
static const struct option *options_find(const char *arg, const char **value)
{
    *value = NULL;
    for (const struct option *k = table; k < table + OPTIONS; k++) {
        size_t n = strlen(k->name);
        if (strncmp(arg, k->name, n) != 0)
            continue;
        if (arg[n] == 0)
            return k;
        if (!k->argument || (arg[n] != '=' && (arg[1] == '-' || !isdigit((unsigned char)arg[n]))))
            continue;
        *value = arg + n + (arg[n] == '=');
        return k;
    }
    return NULL;
}

/* argv[at] is an option: take it with its value. The index behind it; 0 after a message. */
static int options_take(struct options *o, char **argv, int at)
{
    const char *value;
    int first = at;
    const struct option *k = options_find(argv[at], &value);
    if (!k) {
        message("%s: no such option; eprun --help lists them", argv[at]);
        return 0;
    }
    if (k->argument && !value && !(value = argv[++at])) {
        message("%s: its value is missing", k->name);
        return 0;
    }
    if (!options_apply(o, k, value))
        return 0;
    while (k->read != read_processes && k->read != read_threads && first <= at)
        o->kept[o->nkept++] = argv[first++];
    return at + 1;
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
    int at = 1, n;
    char **inherited = command_options(&n); /* what a command around the program was started with */
    *o = (struct options){.bind = "auto", .private_libraries = secure_getenv("EP_PRIVATE")};
    o->kept = calloc((size_t)argc + (size_t)n, sizeof *o->kept);
    if (!o->kept) {
        message("no memory");
        return false;
    }
    for (int i = 1; inherited && i < n;)
        if ((i = options_take(o, inherited, i)) == 0)
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
