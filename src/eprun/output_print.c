/* SPDX-License-Identifier: BSD-3-Clause */
/* printf and its like to stdout and stderr. Exported to the program. */

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* <stdio.h> is not to define any of them itself */
#endif

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/next.h"
#include "eprun/output.h"

EP_PUBLIC int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args);
EP_PUBLIC int __fprintf_chk(FILE *restrict f, int flag, const char *restrict format, ...);
EP_PUBLIC int __vprintf_chk(int flag, const char *restrict format, va_list args);
EP_PUBLIC int __printf_chk(int flag, const char *restrict format, ...);

static int print_large(struct line *l, size_t n, const char *format, va_list args)
{
    char *text = malloc(n + 1);
    int done = text ? vsnprintf(text, n + 1, format, args) : -1;
    if (done >= 0 && !output_put(l, text, (size_t)done))
        done = -1;
    free(text);
    return done;
}

static int print(struct line *l, const char *format, va_list args)
{
    char text[1024];
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(text, sizeof text, format, args);
    if (n >= (int)sizeof text)
        n = print_large(l, (size_t)n, format, again);
    else if (n >= 0 && !output_put(l, text, (size_t)n))
        n = -1;
    va_end(again);
    return n;
}

EP_PUBLIC int vfprintf(FILE *restrict f, const char *restrict format, va_list args)
{
    static void *next;
    int (*libc)(FILE *, const char *, va_list);
    struct line *l = output_line(f);
    if (l)
        return print(l, format, args);
    next_function(&libc, &next, "vfprintf");
    return libc(f, format, args);
}

int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args)
{
    static void *next;
    int (*libc)(FILE *, int, const char *, va_list);
    struct line *l = output_line(f);
    if (l)
        return print(l, format, args);
    next_function(&libc, &next, "__vfprintf_chk");
    return libc(f, flag, format, args);
}

EP_PUBLIC int fprintf(FILE *restrict f, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfprintf(f, format, args);
    va_end(args);
    return n;
}

int __fprintf_chk(FILE *restrict f, int flag, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __vfprintf_chk(f, flag, format, args);
    va_end(args);
    return n;
}

EP_PUBLIC int vprintf(const char *restrict format, va_list args)
{
    return vfprintf(stdout, format, args);
}

int __vprintf_chk(int flag, const char *restrict format, va_list args)
{
    return __vfprintf_chk(stdout, flag, format, args);
}

EP_PUBLIC int printf(const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfprintf(stdout, format, args);
    va_end(args);
    return n;
}

int __printf_chk(int flag, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int n = __vfprintf_chk(stdout, flag, format, args);
    va_end(args);
    return n;
}

EP_PUBLIC void perror(const char *text)
{
    const char *reason = strerror(errno);
    if (text && *text)
        fprintf(stderr, "%s: %s\n", text, reason);
    else
        fprintf(stderr, "%s\n", reason);
}
