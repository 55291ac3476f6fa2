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

/* The MPI library ends the process, not the endpoint, and nothing is to be called that could find the others at
 * work. */
static int abort_process(int (*real)(MPI_Comm, int), MPI_Comm comm, int code)
{
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
    return abort_process(NEXT(MPI_Abort), comm, code);
}

int PMPI_Abort(MPI_Comm comm, int code)
{
    return abort_process(NEXT(PMPI_Abort), comm, code);
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

/* ---- another program takes the place of all endpoints: this one's end is no news then. Libc's other functions of this kind are
 * part of the program (src/image/exec.c) and call these. ---- */

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
