/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starting processes: eprun -n P becomes mpirun -n P eprun. And commands that are no program of epcc but
 * start some: scripts (libtool's in build trees), env, make. Each process executes the command once, as with
 * mpirun, and the programs find in the environment what eprun was told. They start eprun themselves
 * (src/image/start.c).
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eprun/image/elf.h"
#include "eprun/eprun.h"

/* Says that launch started this process. */
static const char launched[] = "EPRUN_LAUNCHED";

bool launch_is_under_mpirun(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

bool launch_ends_with_status(void)
{
    return !launch_is_under_mpirun() || getenv("OMPI_COMM_WORLD_SIZE");
}

bool launch_is_needed(const struct options *o)
{
    return o->processes > 1 && !launch_is_under_mpirun();
}

bool launch_keeps_affinity(void)
{
    return !launch_is_under_mpirun() || getenv(launched);
}

/* Settings of Open MPI. Not those of its ways to networks whose libraries take long to load: a job that is on one machine needs none,
 * and nobody else will ever join it, since the drop-in has no MPI_Comm_spawn or MPI_Comm_connect. Debian's libpsm2, which libfabric loads,
 * too, measures the clock for 0.2 s: several times what all else takes. Who has said which way to take (pml) may need one of these. And
 * for a process alone: no daemon beside it, and no folder for its session, which all such processes of a user would share. */
static const struct {
    const char *name, *value;
    const char *unless; /* another name that is set */
    bool alone;         /* only for one process without mpirun */
} set_here[] = {
    {"OMPI_MCA_mtl", "^psm2,psm,ofi", "OMPI_MCA_pml", false},
    {"OMPI_MCA_ess_singleton_isolated", "1", NULL, true},
    {"OMPI_MCA_plm", "isolated", NULL, true},
    {"OMPI_MCA_orte_create_session_dirs", "0", NULL, true},
};
enum { SET_HERE = sizeof set_here / sizeof *set_here };
static bool set_is_ours[SET_HERE];

/* As Open MPI's mpirun tells it, the same to all processes. */
static bool launch_is_on_one_machine(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return all && here && strcmp(all, here) == 0;
}

static bool launch_may_set(int i, bool alone)
{
    return (alone || !set_here[i].alone) && !getenv(set_here[i].name) && !(set_here[i].unless && getenv(set_here[i].unless));
}

void launch_prepare(void)
{
    bool alone = !launch_is_under_mpirun();
    if (!alone && !launch_is_on_one_machine())
        return;
    for (int i = 0; i < SET_HERE; i++)
        if ((set_is_ours[i] = launch_may_set(i, alone)))
            setenv(set_here[i].name, set_here[i].value, 0);
}

void launch_clean(void)
{
    for (int i = 0; i < SET_HERE; i++)
        if (set_is_ours[i])
            unsetenv(set_here[i].name);
    unsetenv(launched);
}

/* Is path a program? 0, or the status to end with. */
static int check_file(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return 127;
    if (S_ISREG(s.st_mode) && access(path, X_OK) == 0)
        return 0;
    errno = S_ISDIR(s.st_mode) ? EISDIR : EACCES;
    return 126;
}

/* name in the folders of PATH; an empty one is the current folder. */
static int launch_search(struct options *o, const char *name)
{
    const char *at = secure_getenv("PATH");
    int status = 127;
    for (bool more = at != NULL; more;) {
        size_t n = strcspn(at, ":");
        if (asprintf(&o->path, "%.*s%s%s", (int)n, at, n ? "/" : "./", name) < 0)
            return 127;
        int s = check_file(o->path);
        if (s == 0)
            return 0;
        if (s == 126)
            status = 126;
        free(o->path);
        o->path = NULL;
        more = at[n] == ':';
        at += n + 1;
    }
    errno = status == 126 ? EACCES : ENOENT;
    return status;
}

int launch_find_program(struct options *o)
{
    const char *name = o->program[0];
    int status;
    if (strchr(name, '/')) {
        o->path = strdup(name);
        status = o->path ? check_file(name) : 127;
    } else
        status = launch_search(o, name);
    bool known = strchr(name, '/') || status == 126 || errno == ENOMEM;
    if (status)
        message("%s: %s", name, known ? strerror(errno) : "not found in PATH");
    return status;
}

/* The words of text, cut at blanks in place, appended to words; how many there are then. */
static int launch_split(char *text, char **words, int n)
{
    char *rest;
    for (char *w = strtok_r(text, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest))
        words[n++] = w;
    return n;
}

char *launch_own_path(char **argv)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    char *executed = (char *)(uintptr_t)getauxval(AT_EXECFN); /* without /proc */
    if (length > 0)
        return path;
    return executed ? executed : argv[0];
}

char *launch_threads(const struct options *o)
{
    char *text = malloc(12 * (size_t)o->nthreads), *end = text;
    for (int i = 0; text && i < o->nthreads; i++)
        end += sprintf(end, "%s%d", i ? "," : "", o->threads[i]);
    return text;
}

/* What each process executes; words are zero before. False: no memory. */
static bool own_arguments(const struct options *o, char **argv, char **words, int n)
{
    char *threads = launch_threads(o);
    words[n++] = launch_own_path(argv);
    for (int i = 0; i < o->nkept; i++)
        words[n++] = o->kept[i];
    words[n++] = "-t";
    words[n++] = threads;
    words[n++] = "--";
    for (char **at = o->program; *at;)
        words[n++] = *at++;
    return threads;
}

int launch(const struct options *o, char **argv)
{
    const char *own = o->mpirun ? o->mpirun : secure_getenv("EP_MPIRUN");
    char *command = strdup(own && *own ? own : EPRUN_MPIRUN), *extra = strdup(EPRUN_MPIRUN_ARGS);
    char **words =
        command && extra
            ? calloc(strlen(command) + strlen(extra) + (size_t)(o->nkept + o->argc) + 8, sizeof *words)
            : NULL;
    char count[16];
    int n = words ? launch_split(command, words, 0) : 0;
    if (n == 0) {
        message(words ? "--mpirun '%s': no command" : "no memory", own);
        return 2;
    }
    snprintf(count, sizeof count, "%d", o->processes);
    words[n++] = "-n";
    words[n++] = count;
    if (!own || !*own) {
        n = launch_split(extra, words, n);
        setenv(launched, "1", 1);
    }
    if (!own_arguments(o, argv, words, n)) {
        message("no memory");
        return 126;
    }
    execvp(words[0], words);
    message("%s: %s; --mpirun or EP_MPIRUN name another command", words[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

/* ---- commands ---- */

/* Options between newlines, for the eprun of a program that a command starts. */
static const char inherited[] = "EPRUN_OPTIONS";

bool command_is_one(const struct options *o)
{
    return elf_is_command(o->path);
}

/* All but the number of ranks, which EP_THREADS says, so that a script can say otherwise. */
static bool export_options(const struct options *o)
{
    size_t size = 1;
    for (int i = 0; i < o->nkept; i++)
        size += strlen(o->kept[i]) + 1;
    char *text = calloc(1, size), *end = text;
    for (int i = 0; text && i < o->nkept; i++)
        end += sprintf(end, "%s%s", i ? "\n" : "", o->kept[i]);
    bool good = text && (o->nkept > 0 ? setenv(inherited, text, 1) : unsetenv(inherited)) == 0;
    free(text);
    return good;
}

int command_run(const struct options *o, char **argv)
{
    char *threads = launch_threads(o);
    if (!threads || setenv("EP_THREADS", threads, 1) != 0 || !export_options(o) ||
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
