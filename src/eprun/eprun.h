/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eprun: each endpoint of this process runs its own copy of a program.
 *
 * One thread per endpoint loads its copy (image), calls its main and ends it as exit() would (life). What the
 * program and its libraries do to the whole process is turned, by functions that this executable exports
 * under libc's names, into something done to the endpoint (intercept, output).
 */
#ifndef EP_EPRUN_H
#define EP_EPRUN_H

#include <ep.h>
#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dropin/dropin.h"

/* What the command line says (options.c). */
struct options {
    int processes;          /* -n: 0 if not given: those that MPI was started with */
    int *threads;           /* -t: a count per process; the last one is for all further ones */
    int nthreads;           /* numbers in threads */
    const char *threads_by; /* who says so: -t, EP_THREADS */
    const char *bind;       /* --bind: auto, core, thread, none, or a list of CPUs */
    const char *image_dir;  /* --image-dir: copies of the program are files there; NULL: in memory */
    bool debug;             /* --debug: copies keep all that a debugger wants */
    bool tag_output;        /* --tag-output */
    bool verbose;           /* --verbose: say where each endpoint runs */
    size_t stack;           /* --stack: bytes per endpoint's thread; 0: as for a main thread */
    const char *mpirun;     /* --mpirun: the command that starts processes */
    /* --private: names between commas; NULL: only those that eprun knows (image/libraries.c) */
    const char *private_libraries;
    char **kept;    /* words of all options but -n and -t, for another eprun */
    int nkept;      /* of these */
    char **program; /* the program and its arguments, NULL at the end */
    char *path;     /* the program's file (launch_find_program) */
    int argc;       /* of program */
};

struct image; /* image/image.c */
struct quick; /* end.c */

/* Lines of one stream of an endpoint that are not complete yet (output/lines.c). */
struct output_line {
    pthread_mutex_t lock; /* the endpoint's threads */
    char *text;
    size_t used, size;
    FILE *file;  /* without a buffer; what is written to it comes here. Constant but for a fork's child */
    int fd;      /* 1 or 2, or the endpoint's own after freopen; -1: closed */
    bool middle; /* what was written last did not end a line */
};

/* What its copy of Fortran's run-time system has (fortran/fortran.h). */
struct fortran_rank {
    void (*handler)(int signal);   /* of signals that kill, */
    uint64_t faults;               /* of these, by bits */
    int keys;                      /* of libpthread, that it has made */
    struct fortran_alias *aliases; /* fortran/descriptors.c; more may be added at any time, in front */
};

struct eprun_rank {
    /* constant while the program runs */
    int index;   /* among those of this process */
    int rank;    /* in MPI_COMM_WORLD */
    int size;    /* of MPI_COMM_WORLD */
    int process; /* rank of the process */
    struct mpi_rank *mpi;
    const struct options *options;
    pthread_t thread;    /* runs main */
    struct image *image; /* from when it is loaded */
    char **argv;         /* its own copy */
    /* its threads */
    struct output_line out, err;
    struct fortran_rank fortran;
    /* under the lock of end.c */
    int threads;         /* of the program that run, its main thread included */
    bool finishing;      /* exit() has been called */
    pthread_t finisher;  /* by this thread */
    struct quick *quick; /* at_quick_exit; the last one first */
    bool ended;
    int status;
};

/* A path's name without directories. */
static inline const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The endpoint that the calling thread belongs to; NULL: none. */
extern _Thread_local struct eprun_rank *self;

/* options.c: false (after a message) if the command line is wrong; --help and --version print and exit. */
bool options_read(int argc, char **argv, struct options *o);

/* launch.c: must mpirun be started first? launch then becomes it; it returns only if that fails. */
bool launch_is_needed(const struct options *o);
/* Sets o->path; 0, or after a message the status that a shell gives: 127 not found, 126 not executable. */
int launch_find_program(struct options *o);
bool launch_is_under_mpirun(void);
/* Does a process that ends with a status end the job with it? Then that is how to abort it: the mpirun of
 * Open MPI 4.1 sometimes crashes on what MPI_Abort wants it to print. */
bool launch_ends_with_status(void);
/* Was this process started by launch, which lets mpirun bind nothing, or without mpirun? Then its affinity is
 * what the user wants. */
bool launch_keeps_affinity(void);
/* Before MPI_Init, where nobody has said otherwise: a job on one machine is to look for no networks, one process without mpirun to
 * start without helpers. And after MPI_Init: leave no trace in environ. */
void launch_prepare(void);
void launch_clean(void);
/* server.c: MPI is being initialised, or no more. */
void server_await(bool awaited);
int launch(const struct options *o, char **argv);
/* eprun's file; -t's list, allocated. */
char *launch_own_path(char **argv);
char *launch_threads(const struct options *o);

/* And is what is to be run no program of epcc, nor another one of MPI's? command_run then becomes it, or
 * returns a status after a message. Options that the eprun before such a command was given, as words from 1
 * to *n; NULL: none. */
bool command_is_one(const struct options *o);
int command_run(const struct options *o, char **argv);
char **command_options(int *n);

/* bind.c: where each endpoint of this process runs; collective over MPI_COMM_WORLD. The calling thread gets
 * all CPUs of these places. bind_thread puts the calling thread to the place of its endpoint. */
bool bind_plan(const struct options *o, int endpoints);
void bind_thread(int index);
/* For --verbose: the place in words. */
void bind_describe(int index, char *text, size_t size);

/* output/lines.c: replace libc's stdout and stderr; prepare an endpoint's lines; write out what is left of
 * an endpoint's lines, or of everybody's (also from a signal handler: then what another thread holds is
 * left). */
bool output_start(const struct options *o, int ranks);
bool output_prepare(struct eprun_rank *e);
void output_flush(struct eprun_rank *e);
void output_flush_all(struct eprun_rank endpoints[], int n);
/* stdio.c: all streams of the process that have output and are not in use. False with errno; *busy: some are
 * in use. */
bool output_flush_streams(bool *busy);

/* image/image.c: a copy of the program for one endpoint, loaded by the calling thread, which runs its
 * constructors. All copies stay open until the process ends. If there can be no copy, the process ends after
 * one message. */
void image_load(const struct options *o, struct eprun_rank *e);
int image_main(struct image *image, int argc, char **argv);
/* Its atexit functions, static destructors and destructor functions, in the order that exit() would take.
 * Each is called once, also if one of them calls exit(). */
void image_finish(struct image *image, int status);
/* The program's file name without directories; its file, in full (NULL: not known yet). */
const char *image_name(const struct options *o);
const char *image_path(void);
/* The original's file name of a copy that is loaded with that difference between its addresses and those of
 * the file; NULL: none of this image's is. */
const char *image_at(const struct image *image, uintptr_t base, const struct options *o);

/* What the image, and not libc, gives to libraries of which the endpoint has its own copy: its environment, commands that are run in
 * that. */
char *image_getenv(const struct image *image, const char *name);
char **image_environ(const struct image *image);
int image_system(const struct image *image, const char *command);
/* Does that lie in its copy of a language's run-time system? */
bool image_is_runtime(const struct image *image, uintptr_t address);
/* As image_at, the original's path. And is any image's copy loaded so? Also in signal handlers. */
const char *image_original(const struct image *image, uintptr_t base);
bool image_has_other(uintptr_t base);

/* image/copy.c: is the process under one of the compilers' sanitizers? Or under another tool that looks into
 * it? */
bool copy_is_sanitized(void);
bool copy_is_watched(void);
/* Remove the files of copies in a temporary directory, before the process ends. */
void copy_clean(void);

/* life.c: start the endpoints' threads, wait until all have ended; the status of the job's part here. A
 * non-zero status, a crash, or an end between MPI_Init and MPI_Finalize ends the process at once. */
int life_run(struct eprun_rank endpoints[], int n);
/* Threads that a process cannot have more of; *limit: what says so. */
long long life_most_endpoints(const char **limit);
/* What exit() and _exit() mean in a thread of self: with or without what is to be called at the end. */
_Noreturn void life_exit(int status, bool clean);

/* crash.c: signals that kill say which endpoint they hit. Before endpoints start, after MPI_Init. */
void crash_start(struct eprun_rank endpoints[], int n);

/* intercept.c: libc's (or another library's) function of this name, which one that eprun exports stands in
 * front of. ISO C has no cast for this. */
#define NEXT(name)                                                                                           \
    __extension__({                                                                                          \
        static void *next_;                                                                                  \
        (__typeof__(name) *)next_function(&next_, #name);                                                    \
    })
/* *cache (NULL at first) keeps it for the next time. The process ends if there is none. */
void *next_function(void **cache, const char *name);
/* The dynamic linker's dlopen, where eprun's would look for copies. */
void *next_dlopen(const char *file, int flags);

/* output/complain.c: "eprun: ..." to the process's stderr at once, with the endpoint where the calling thread
 * has one. */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

#endif
