/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran's run-time system handles signals that kill: it prints a backtrace. Here eprun handles them, for all endpoints, and has the
 * endpoint's copy print it when it has told which one was hit. The backtrace shows the program's files, not their copies, and nothing
 * of eprun. Exported to copies of the run-time system.
 */
#include "eprun/fortran/fortran.h"

#include <link.h>
#include <signal.h>
#include <unwind.h>

#include "eprun/life.h"
#include "eprun/output/output.h"

typedef void handler_function(int signal);

static struct eprun_rank *reported; /* the endpoint whose copy speaks; the process is about to end */

void fortran_report(struct eprun_rank *e, int number)
{
    if (!(e->fortran.faults & UINT64_C(1) << number))
        return;
    bool alone = output_write_try(); /* its lines stay together */
    reported = e;
    e->fortran.handler(number);
    reported = NULL;
    if (alone)
        output_write_done();
}

/* ---- signals ---- */

EP_PUBLIC handler_function *ep_fortran_signal(int number, handler_function *handler);
handler_function *ep_fortran_signal(int number, handler_function *handler)
{
    if (reported)
        return SIG_DFL; /* which it wants before it ends by the signal */
    if (!self || number <= 0 || number >= 64)
        return signal(number, handler);
    if (image_is_runtime(self->image, (uintptr_t)handler)) {
        self->fortran.handler = handler;
        self->fortran.faults |= UINT64_C(1) << number;
        return SIG_DFL;
    }
    self->fortran.faults &= ~(UINT64_C(1) << number);
    return crash_signal(number, handler);
}

/* Its own one is for children: see process.c. */
EP_PUBLIC int ep_fortran_sigaction(int number, const struct sigaction *action, struct sigaction *before);
int ep_fortran_sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (self && action && image_is_runtime(self->image, (uintptr_t)action->sa_handler))
        return 0;
    return sigaction(number, action, before);
}

EP_PUBLIC int ep_fortran_raise(int number);
int ep_fortran_raise(int number)
{
    return reported ? 0 : raise(number);
}

/* ---- backtraces ---- */

struct walk {
    int (*callback)(struct dl_phdr_info *info, size_t size, void *arg);
    void *arg;
    const struct image *image;
};

/* Of copies those of the endpoint alone, under the names of their originals, which have the names of functions, too. */
static int tell_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    const struct walk *w = arg;
    struct dl_phdr_info known = *info;
    const char *path = image_original(w->image, info->dlpi_addr);
    if (path)
        known.dlpi_name = path;
    else if (image_has_other(info->dlpi_addr))
        return 0;
    return w->callback(&known, size, w->arg);
}

EP_PUBLIC int ep_fortran_dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *arg);
int ep_fortran_dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *), void *arg)
{
    const struct eprun_rank *e = reported ? reported : self;
    if (!e || !e->image)
        return dl_iterate_phdr(callback, arg);
    return dl_iterate_phdr(tell_object, &(struct walk){callback, arg, e->image});
}

struct unwinding {
    _Unwind_Trace_Fn callback;
    void *arg;
};

extern const char __executable_start[], etext[]; /* eprun's, from the linker */

static _Unwind_Reason_Code tell_frame(struct _Unwind_Context *context, void *arg)
{
    const struct unwinding *u = arg;
    uintptr_t pc = (uintptr_t)_Unwind_GetIP(context);
    if (pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext)
        return _URC_NO_REASON;
    return u->callback(context, u->arg);
}

EP_PUBLIC _Unwind_Reason_Code ep_fortran__Unwind_Backtrace(_Unwind_Trace_Fn callback, void *arg);
_Unwind_Reason_Code ep_fortran__Unwind_Backtrace(_Unwind_Trace_Fn callback, void *arg)
{
    return _Unwind_Backtrace(tell_frame, &(struct unwinding){callback, arg});
}
