/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of libc that write to stdout and stderr: here these are the calling endpoint's. Exported to the
 * program. */

/* <stdio.h> and <wchar.h> are not to define any of them themselves. */
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif

#include "eprun/output/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Libc's own function with the endpoint's FILE. */
#define FORWARD(type, name, parameters, ...)                                                                 \
    EP_PUBLIC type name parameters;                                                                          \
    type name parameters                                                                                     \
    {                                                                                                        \
        return NEXT(name)(__VA_ARGS__);                                                                      \
    }

/* The one of these functions that takes a list of arguments. */
#define VARIADIC(name, parameters, with_list, ...)                                                           \
    EP_PUBLIC int name parameters;                                                                           \
    int name parameters                                                                                      \
    {                                                                                                        \
        va_list args;                                                                                        \
        va_start(args, format);                                                                              \
        int n = with_list(__VA_ARGS__, args);                                                                \
        va_end(args);                                                                                        \
        return n;                                                                                            \
    }

/* ---- bytes ---- */

/* Where the macros of <stdio.h> that write a character end when a stream has no buffer. */
FORWARD(int, __overflow, (FILE * f, int c), output_own(f), c)
FORWARD(int, fputc, (int c, FILE *f), c, output_own(f))
FORWARD(int, putc, (int c, FILE *f), c, output_own(f))
FORWARD(int, fputc_unlocked, (int c, FILE *f), c, output_own(f))
FORWARD(int, putc_unlocked, (int c, FILE *f), c, output_own(f))
FORWARD(size_t, fwrite, (const void *restrict text, size_t size, size_t n, FILE *restrict f), text, size, n,
        output_own(f))
FORWARD(size_t, fwrite_unlocked, (const void *restrict text, size_t size, size_t n, FILE *restrict f), text,
        size, n, output_own(f))
FORWARD(int, fputs, (const char *restrict text, FILE *restrict f), text, output_own(f))
FORWARD(int, fputs_unlocked, (const char *restrict text, FILE *restrict f), text, output_own(f))

EP_PUBLIC int putchar(int c)
{
    return fputc(c, stdout);
}

EP_PUBLIC int putchar_unlocked(int c)
{
    return fputc_unlocked(c, stdout);
}

EP_PUBLIC int puts(const char *text)
{
    flockfile(stdout); /* no other thread of the endpoint in between */
    bool good = fputs(text, stdout) >= 0 && fputc('\n', stdout) != EOF;
    funlockfile(stdout);
    return good ? 1 : EOF;
}

FORWARD(int, vfprintf, (FILE *restrict f, const char *restrict format, va_list args), output_own(f), format,
        args)
FORWARD(int, __vfprintf_chk, (FILE *restrict f, int flag, const char *restrict format, va_list args),
        output_own(f), flag, format, args)
VARIADIC(fprintf, (FILE *restrict f, const char *restrict format, ...), vfprintf, f, format)
VARIADIC(__fprintf_chk, (FILE *restrict f, int flag, const char *restrict format, ...), __vfprintf_chk, f,
         flag, format)
VARIADIC(printf, (const char *restrict format, ...), vfprintf, stdout, format)
VARIADIC(__printf_chk, (int flag, const char *restrict format, ...), __vfprintf_chk, stdout, flag, format)

EP_PUBLIC int vprintf(const char *restrict format, va_list args)
{
    return vfprintf(stdout, format, args);
}

EP_PUBLIC int __vprintf_chk(int flag, const char *restrict format, va_list args);
int __vprintf_chk(int flag, const char *restrict format, va_list args)
{
    return __vfprintf_chk(stdout, flag, format, args);
}

EP_PUBLIC void perror(const char *text)
{
    const char *reason = strerror(errno);
    if (text && *text)
        fprintf(stderr, "%s: %s\n", text, reason);
    else
        fprintf(stderr, "%s\n", reason);
}

/*
 * ---- wide characters: a stream with functions of its own, as lines.c makes them, takes none, and a stream's
 * orientation would be the whole process's; so they become bytes here
 */

/* How many bytes text became; -1 if a character has none in the program's locale. */
static int put_wide(FILE *f, const wchar_t *text, size_t n)
{
    char *bytes = malloc(n * MB_CUR_MAX + 1);
    mbstate_t state = {0};
    size_t used = 0;
    for (size_t i = 0; bytes && i < n; i++) {
        size_t m = wcrtomb(bytes + used, text[i], &state);
        if (m == (size_t)-1) {
            free(bytes);
            return -1;
        }
        used += m;
    }
    bool good = bytes && fwrite(bytes, 1, used, f) == used;
    free(bytes);
    return good ? (int)n : -1;
}

static int output_wide_print(FILE *f, const wchar_t *format, va_list args)
{
    wchar_t *text = NULL;
    size_t n;
    FILE *memory = open_wmemstream(&text, &n);
    int rc = memory ? vfwprintf(memory, format, args) : -1;
    if (memory)
        fclose(memory);
    if (rc >= 0)
        rc = put_wide(f, text, n);
    free(text);
    return rc;
}

EP_PUBLIC int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list args)
{
    if (output_line(f))
        return output_wide_print(f, format, args);
    return NEXT(vfwprintf)(f, format, args);
}

EP_PUBLIC int __vfwprintf_chk(FILE *restrict f, int flag, const wchar_t *restrict format, va_list args);
int __vfwprintf_chk(FILE *restrict f, int flag, const wchar_t *restrict format, va_list args)
{
    if (output_line(f))
        return output_wide_print(f, format, args);
    return NEXT(__vfwprintf_chk)(f, flag, format, args);
}

VARIADIC(fwprintf, (FILE *restrict f, const wchar_t *restrict format, ...), vfwprintf, f, format)
VARIADIC(__fwprintf_chk, (FILE *restrict f, int flag, const wchar_t *restrict format, ...), __vfwprintf_chk,
         f, flag, format)
VARIADIC(wprintf, (const wchar_t *restrict format, ...), vfwprintf, stdout, format)
VARIADIC(__wprintf_chk, (int flag, const wchar_t *restrict format, ...), __vfwprintf_chk, stdout, flag,
         format)

EP_PUBLIC int vwprintf(const wchar_t *restrict format, va_list args)
{
    return vfwprintf(stdout, format, args);
}

EP_PUBLIC int __vwprintf_chk(int flag, const wchar_t *restrict format, va_list args);
int __vwprintf_chk(int flag, const wchar_t *restrict format, va_list args)
{
    return __vfwprintf_chk(stdout, flag, format, args);
}

EP_PUBLIC wint_t fputwc(wchar_t c, FILE *f)
{
    if (output_line(f))
        return put_wide(f, &c, 1) < 0 ? WEOF : (wint_t)c;
    return NEXT(fputwc)(c, f);
}

/* The same under other names: no character here is written without the lock. */
EP_PUBLIC wint_t putwc(wchar_t c, FILE *f) __attribute__((alias("fputwc")));
EP_PUBLIC wint_t fputwc_unlocked(wchar_t c, FILE *f) __attribute__((alias("fputwc")));
EP_PUBLIC wint_t putwc_unlocked(wchar_t c, FILE *f) __attribute__((alias("fputwc")));
EP_PUBLIC wint_t putwchar_unlocked(wchar_t c) __attribute__((alias("putwchar")));

EP_PUBLIC wint_t putwchar(wchar_t c)
{
    return fputwc(c, stdout);
}

EP_PUBLIC int fputws(const wchar_t *restrict text, FILE *restrict f)
{
    if (output_line(f))
        return put_wide(f, text, wcslen(text)) < 0 ? EOF : 1;
    return NEXT(fputws)(text, f);
}

EP_PUBLIC int fputws_unlocked(const wchar_t *restrict text, FILE *restrict f)
    __attribute__((alias("fputws")));

/* An endpoint's lines take both kinds. */
EP_PUBLIC int fwide(FILE *f, int mode)
{
    if (output_line(f))
        return mode;
    return NEXT(fwide)(f, mode);
}
