/* SPDX-License-Identifier: BSD-3-Clause */
/* eprun's messages, and the functions of the C library that print an error, some of which also exit, which they would do
 * without asking anybody: those are exported to the program. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/eprun.h"

EP_PUBLIC void vwarn(const char *format, va_list args);
EP_PUBLIC void vwarnx(const char *format, va_list args);
EP_PUBLIC void warn(const char *format, ...);
EP_PUBLIC void warnx(const char *format, ...);
EP_PUBLIC _Noreturn void verr(int status, const char *format, va_list args);
EP_PUBLIC _Noreturn void verrx(int status, const char *format, va_list args);
EP_PUBLIC _Noreturn void err(int status, const char *format, ...);
EP_PUBLIC _Noreturn void errx(int status, const char *format, ...);
EP_PUBLIC void error(int status, int number, const char *format, ...);
EP_PUBLIC void error_at_line(int status, int number, const char *file, unsigned line, const char *format,
                             ...);

_Thread_local struct eprun_rank *self;

/* One write, and no stdio: libc's stderr may be an endpoint's by now, and this also serves signal handlers. */
void message(const char *format, ...)
{
    char text[2048];
    va_list args;
    int n = self ? snprintf(text, sizeof text, "eprun: rank %d: ", self->rank)
                 : snprintf(text, sizeof text, "eprun: ");
    va_start(args, format);
    int m = vsnprintf(text + n, sizeof text - (size_t)n - 1, format, args);
    va_end(args);
    size_t length = (size_t)n + (m < 0 ? 0 : (size_t)m);
    if (length > sizeof text - 2)
        length = sizeof text - 2;
    text[length] = '\n';
    if (write(STDERR_FILENO, text, length + 1) < 0)
        return; /* nowhere left to complain */
}

/* ---- exported ---- */

/* libc's would write to the process's stderr, which does not wait for who has locked the endpoint's. */
static void warn_of(const char *format, va_list args, const char *reason)
{
    flockfile(stderr);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, args);
    fprintf(stderr, "%s%s\n", format && reason ? ": " : "", reason ? reason : "");
    funlockfile(stderr);
}

void vwarn(const char *format, va_list args)
{
    int number = errno;
    char reason[256];
    warn_of(format, args, strerror_r(number, reason, sizeof reason));
    errno = number;
}

void vwarnx(const char *format, va_list args)
{
    warn_of(format, args, NULL);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vwarn(format, args);
    va_end(args);
}

void warnx(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vwarnx(format, args);
    va_end(args);
}

void verr(int status, const char *format, va_list args)
{
    vwarn(format, args);
    exit(status);
}

void verrx(int status, const char *format, va_list args)
{
    vwarnx(format, args);
    exit(status);
}

void err(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    verr(status, format, args);
}

void errx(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    verrx(status, format, args);
}

static void complain_va(int status, int number, const char *place, const char *format, va_list args)
{
    char text[1024], reason[256] = "";
    vsnprintf(text, sizeof text, format, args);
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s: ", program_invocation_name);
    const char *words = number ? strerror_r(number, reason, sizeof reason) : "";
    fprintf(stderr, "%s%s%s%s\n", place, text, number ? ": " : "", words);
    error_message_count++;
    if (status)
        exit(status);
}

void error(int status, int number, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complain_va(status, number, "", format, args);
    va_end(args);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    char place[512];
    va_list args;
    snprintf(place, sizeof place, "%s:%u: ", file, line);
    va_start(args, format);
    complain_va(status, number, place, format, args);
    va_end(args);
}
