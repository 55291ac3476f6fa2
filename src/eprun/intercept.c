/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What libc does to a process, for an endpoint: what ends one ends the other, if called in one of its
 * threads; another program takes the place of all; /proc/self/exe is the program and not eprun. Exported to
 * the program.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "eprun/life.h"

EP_PUBLIC _Noreturn void exit(int status);
EP_PUBLIC _Noreturn void _exit(int status);
EP_PUBLIC _Noreturn void _Exit(int status);
EP_PUBLIC _Noreturn void quick_exit(int status);
EP_PUBLIC int __cxa_at_quick_exit(void (*function)(void *), void *dso);

EP_PUBLIC int execve(const char *path, char *const argv[], char *const envp[]);
EP_PUBLIC int execvpe(const char *file, char *const argv[], char *const envp[]);
EP_PUBLIC int fexecve(int fd, char *const argv[], char *const envp[]);

EP_PUBLIC int MPI_Abort(MPI_Comm comm, int code);
EP_PUBLIC int PMPI_Abort(MPI_Comm comm, int code);

static bool aborting; /* by a thread that is no endpoint's any more */

static _Noreturn void exit_at_once(int status)
{
    watch_told();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

void exit(int status)
{
    if (self)
        life_exit(status, true);
    if (__atomic_load_n(&aborting, __ATOMIC_ACQUIRE))
        end_process(status);
    NEXT(exit)(status);
    __builtin_unreachable();
}

void _exit(int status)
{
    if (life_is_here())
        life_exit(status, false);
    exit_at_once(status);
}

void _Exit(int status)
{
    _exit(status);
}

/* The MPI library ends the process, not the endpoint, and nothing is to be called that could find the others
 * at work. */
static void begin_to_abort(void)
{
    if (__atomic_exchange_n(&aborting, true, __ATOMIC_ACQ_REL) && self) {
        for (;;)
            pause(); /* another endpoint does it, and the library cannot do it twice at a time */
    }
    end_flush();
    self = NULL;
}

static int abort_process(int (*real)(MPI_Comm, int), MPI_Comm comm, int code)
{
    begin_to_abort();
    if (launch_ends_with_status())
        end_process(code & 0xff ? code & 0xff : EXIT_FAILURE);
    log_await_readers();
    return real(comm, code);
}

int MPI_Abort(MPI_Comm comm, int code)
{
    return abort_process(NEXT(MPI_Abort), comm, code);
}

int PMPI_Abort(MPI_Comm comm, int code)
{
    return abort_process(NEXT(PMPI_Abort), comm, code);
}

/* Open MPI's MPI_Abort first has mpirun print that it was called, and mpirun 4.1.4 may crash of that: it uses memory that it has
 * freed. This is what MPI_Abort does then. */
static int (*job_abort(void))(MPI_Comm, int)
{
    int (*without_a_word)(MPI_Comm, int) = (int (*)(MPI_Comm, int))(uintptr_t)dlsym(RTLD_DEFAULT, "ompi_mpi_abort");
    return without_a_word ? without_a_word : NEXT(MPI_Abort);
}

void intercept_end_job(int status)
{
    begin_to_abort();
    end_flush_files();
    if (!launch_is_under_mpirun() || (status & 0xff && launch_ends_with_status()))
        end_process(status & 0xff);
    log_await_readers();
    job_abort()(MPI_COMM_WORLD, status);
}

/* Hydra would kill the other processes, and give the status of any. */
void intercept_fail(int status)
{
    if (!launch_ends_with_status()) {
        __atomic_store_n(&aborting, true, __ATOMIC_RELEASE);
        log_await_readers();
        NEXT(MPI_Abort)(MPI_COMM_WORLD, status);
    }
    end_process(status);
}

void quick_exit(int status)
{
    if (self)
        life_quick_exit(status);
    NEXT(quick_exit)(status);
    __builtin_unreachable();
}

/* at_quick_exit is part of the program, and calls this. */
int __cxa_at_quick_exit(void (*function)(void *), void *dso)
{
    if (self)
        return life_at_quick_exit(function);
    return NEXT(__cxa_at_quick_exit)(function, dso);
}

/*
 * ---- another program takes the place of all endpoints: this one's end is no news then. Libc's other
 * functions of this kind are part of the program (src/image/commands.c) and call these
 */

int execve(const char *path, char *const argv[], char *const envp[])
{
    watch_told();
    return NEXT(execve)(path, argv, envp);
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
    watch_told();
    return NEXT(execvpe)(file, argv, envp);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
    watch_told();
    return NEXT(fexecve)(fd, argv, envp);
}

/* ---- /proc/self/exe: programs look there to find what is installed beside them ---- */

EP_PUBLIC ssize_t readlink(const char *restrict path, char *restrict text, size_t size);
EP_PUBLIC ssize_t __readlink_chk(const char *restrict path, char *restrict text, size_t size, size_t room);
EP_PUBLIC char *realpath(const char *restrict path, char *restrict text);
EP_PUBLIC char *__realpath_chk(const char *restrict path, char *restrict text, size_t room);

/* The program's file, if that is meant; else NULL. */
static const char *own_file(const char *path)
{
    char by_number[64];
    if (!self || strncmp(path, "/proc/", 6) != 0)
        return NULL;
    snprintf(by_number, sizeof by_number, "/proc/%ld/exe", (long)getpid());
    return strcmp(path, "/proc/self/exe") == 0 || strcmp(path, by_number) == 0 ? image_path() : NULL;
}

ssize_t readlink(const char *restrict path, char *restrict text, size_t size)
{
    const char *file = own_file(path);
    if (file) {
        size_t n = strnlen(file, size);
        memcpy(text, file, n);
        return (ssize_t)n;
    }
    return NEXT(readlink)(path, text, size);
}

/* Where the compiler knows the room for the text, which it has checked if it could. */
ssize_t __readlink_chk(const char *restrict path, char *restrict text, size_t size, size_t room)
{
    if (size > room)
        abort();
    return readlink(path, text, size);
}

char *realpath(const char *restrict path, char *restrict text)
{
    const char *file = path ? own_file(path) : NULL;
    return NEXT(realpath)(file ? file : path, text);
}

char *__realpath_chk(const char *restrict path, char *restrict text, size_t room)
{
    if (room < PATH_MAX)
        abort();
    return realpath(path, text);
}

/* ---- libc's own ---- */

void *next_function(void **cache, const char *name)
{
    void *function = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(cache, function, __ATOMIC_RELEASE);
    }
    if (!function) {
        message("the C library has no %s", name);
        abort();
    }
    return function;
}

void *next_dlopen(const char *file, int flags)
{
    return NEXT(dlopen)(file, flags);
}
