/* SPDX-License-Identifier: BSD-3-Clause */
/* eprun's messages, and the functions of the C library that print an error, some of which also exit, which
 * they would do without asking anybody: those are exported to the program. */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/eprun.h"

_Thread_local struct eprun_rank *self;

/* One write, and no stdio: libc's stderr may be an endpoint's by now, and this also serves signal
 * handlers. */
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

EP_PUBLIC void vwarn(const char *format, va_list args)
{
    int number = errno;
    char reason[256];
    warn_of(format, args, strerror_r(number, reason, sizeof reason));
    errno = number;
}

EP_PUBLIC void vwarnx(const char *format, va_list args)
{
    warn_of(format, args, NULL);
}

EP_PUBLIC _Noreturn void verr(int status, const char *format, va_list args)
{
    vwarn(format, args);
    exit(status);
}

EP_PUBLIC _Noreturn void verrx(int status, const char *format, va_list args)
{
    vwarnx(format, args);
    exit(status);
}

#define VARIADIC(name, parameters, with_list, ...)                                                           \
    EP_PUBLIC void name parameters                                                                           \
    {                                                                                                        \
        va_list args;                                                                                        \
        va_start(args, format);                                                                              \
        with_list(__VA_ARGS__, args);                                                                        \
        va_end(args);                                                                                        \
    }
VARIADIC(warn, (const char *format, ...), vwarn, format)
VARIADIC(warnx, (const char *format, ...), vwarnx, format)
VARIADIC(err, (int status, const char *format, ...), verr, status, format)
VARIADIC(errx, (int status, const char *format, ...), verrx, status, format)

static void complain_va(int status, int number, const char *file, unsigned line, const char *format,
                        va_list args)
{
    char text[1024], reason[256] = "";
    vsnprintf(text, sizeof text, format, args);
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, "%s: ", program_invocation_name);
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    const char *words = number ? strerror_r(number, reason, sizeof reason) : "";
    fprintf(stderr, "%s%s%s\n", text, number ? ": " : "", words);
    error_message_count++;
    if (status)
        exit(status);
}

VARIADIC(error, (int status, int number, const char *format, ...), complain_va, status, number, NULL, 0,
         format)
VARIADIC(error_at_line, (int status, int number, const char *file, unsigned line, const char *format, ...),
         complain_va, status, number, file, line, format)
