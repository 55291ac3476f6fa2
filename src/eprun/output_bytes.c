/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of libc that write bytes to stdout and stderr: here these are the calling endpoint's. Exported to the program. */

/* <stdio.h> is not to define any of them itself. */
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "eprun/next.h"
#include "eprun/output.h"

EP_PUBLIC int __overflow(FILE *f, int c);
EP_PUBLIC int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args);
EP_PUBLIC int __fprintf_chk(FILE *restrict f, int flag, const char *restrict format, ...);
EP_PUBLIC int __vprintf_chk(int flag, const char *restrict format, va_list args);
EP_PUBLIC int __printf_chk(int flag, const char *restrict format, ...);

/* Where the macros of <stdio.h> that write a character end when a stream has no buffer. */
int __overflow(FILE *f, int c)
{
    return NEXT(__overflow)(output_own(f), c);
}

EP_PUBLIC int fputc(int c, FILE *f)
{
    return NEXT(fputc)(c, output_own(f));
}

EP_PUBLIC int putc(int c, FILE *f)
{
    return fputc(c, f);
}

EP_PUBLIC int putchar(int c)
{
    return fputc(c, stdout);
}

EP_PUBLIC int fputc_unlocked(int c, FILE *f)
{
    return NEXT(fputc_unlocked)(c, output_own(f));
}

EP_PUBLIC int putc_unlocked(int c, FILE *f)
{
    return fputc_unlocked(c, f);
}

EP_PUBLIC int putchar_unlocked(int c)
{
    return fputc_unlocked(c, stdout);
}

EP_PUBLIC size_t fwrite(const void *restrict text, size_t size, size_t n, FILE *restrict f)
{
    return NEXT(fwrite)(text, size, n, output_own(f));
}

EP_PUBLIC size_t fwrite_unlocked(const void *restrict text, size_t size, size_t n, FILE *restrict f)
{
    return NEXT(fwrite_unlocked)(text, size, n, output_own(f));
}

EP_PUBLIC int fputs(const char *restrict text, FILE *restrict f)
{
    return NEXT(fputs)(text, output_own(f));
}

EP_PUBLIC int fputs_unlocked(const char *restrict text, FILE *restrict f)
{
    return NEXT(fputs_unlocked)(text, output_own(f));
}

EP_PUBLIC int puts(const char *text)
{
    flockfile(stdout); /* no other thread of the endpoint in between */
    bool good = fputs(text, stdout) >= 0 && fputc('\n', stdout) != EOF;
    funlockfile(stdout);
    return good ? 1 : EOF;
}

EP_PUBLIC int vfprintf(FILE *restrict f, const char *restrict format, va_list args)
{
    return NEXT(vfprintf)(output_own(f), format, args);
}

int __vfprintf_chk(FILE *restrict f, int flag, const char *restrict format, va_list args)
{
    return NEXT(__vfprintf_chk)(output_own(f), flag, format, args);
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
