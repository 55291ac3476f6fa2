/* SPDX-License-Identifier: BSD-3-Clause */
/* What ends a process ends an endpoint, if called in one of its threads. These names are exported to the
 * program. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "eprun/end.h"
#include "eprun/eprun.h"
#include "eprun/life.h"
#include "eprun/next.h"
#include "eprun/watch.h"

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
    static void *next;
    void (*real)(int);
    if (self)
        life_exit(status, true);
    if (__atomic_load_n(&aborting, __ATOMIC_ACQUIRE))
        end_process(status);
    next_function(&real, &next, "exit");
    real(status);
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

/* The MPI library ends the process, not the endpoint, and nothing is to be called that could find the others at
 * work. */
static int abort_process(const char *name, void **next, MPI_Comm comm, int code)
{
    int (*real)(MPI_Comm, int);
    next_function(&real, next, name);
    if (__atomic_exchange_n(&aborting, true, __ATOMIC_ACQ_REL) && self) {
        for (;;)
            pause(); /* another endpoint does it, and the library cannot do it twice at a time */
    }
    end_flush();
    self = NULL;
    if (launch_ends_with_status())
        end_process(code & 0xff ? code & 0xff : EXIT_FAILURE);
    return real(comm, code);
}

int MPI_Abort(MPI_Comm comm, int code)
{
    static void *next;
    return abort_process("MPI_Abort", &next, comm, code);
}

int PMPI_Abort(MPI_Comm comm, int code)
{
    static void *next;
    return abort_process("PMPI_Abort", &next, comm, code);
}

void quick_exit(int status)
{
    static void *next;
    void (*real)(int);
    if (self)
        life_quick_exit(status);
    next_function(&real, &next, "quick_exit");
    real(status);
    __builtin_unreachable();
}

/* at_quick_exit is part of the program, and calls this. */
int __cxa_at_quick_exit(void (*function)(void *), void *dso)
{
    static void *next;
    int (*real)(void (*)(void *), void *);
    if (self)
        return life_at_quick_exit(function);
    next_function(&real, &next, "__cxa_at_quick_exit");
    return real(function, dso);
}

/* ---- another program takes the place of all endpoints: this one's end is no news then. Libc's other functions of this kind are
 * part of the program (src/image/exec.c) and call these. ---- */

int execve(const char *path, char *const argv[], char *const envp[])
{
    static void *next;
    int (*real)(const char *, char *const[], char *const[]);
    next_function(&real, &next, "execve");
    watch_told();
    return real(path, argv, envp);
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
    static void *next;
    int (*real)(const char *, char *const[], char *const[]);
    next_function(&real, &next, "execvpe");
    watch_told();
    return real(file, argv, envp);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
    static void *next;
    int (*real)(int, char *const[], char *const[]);
    next_function(&real, &next, "fexecve");
    watch_told();
    return real(fd, argv, envp);
}
