/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters and strings to stdout and stderr, also by the functions that leave locking to the program: it knows its
 * own threads only. Exported to the program. */

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* <stdio.h> is not to define any of them itself */
#endif

#include <string.h>

#include "eprun/next.h"
#include "eprun/output.h"

EP_PUBLIC int __overflow(FILE *f, int c);

static int put(struct line *l, int c)
{
    char text = (char)c;
    return output_put(l, &text, 1) ? (unsigned char)c : EOF;
}

/* Where the macros of <stdio.h> that write a character end when a stream has no buffer. */
int __overflow(FILE *f, int c)
{
    static void *next;
    int (*libc)(FILE *, int);
    struct line *l = output_line(f);
    if (l)
        return put(l, c);
    next_function(&libc, &next, "__overflow");
    return libc(f, c);
}

EP_PUBLIC int fputc(int c, FILE *f)
{
    static void *next;
    int (*libc)(int, FILE *);
    struct line *l = output_line(f);
    if (l)
        return put(l, c);
    next_function(&libc, &next, "fputc");
    return libc(c, f);
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
    static void *next;
    int (*libc)(int, FILE *);
    struct line *l = output_line(f);
    if (l)
        return put(l, c);
    next_function(&libc, &next, "fputc_unlocked");
    return libc(c, f);
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
    static void *next;
    size_t (*libc)(const void *, size_t, size_t, FILE *);
    struct line *l = output_line(f);
    if (l)
        return output_put(l, text, size * n) ? n : 0;
    next_function(&libc, &next, "fwrite");
    return libc(text, size, n, f);
}

EP_PUBLIC size_t fwrite_unlocked(const void *restrict text, size_t size, size_t n, FILE *restrict f)
{
    static void *next;
    size_t (*libc)(const void *, size_t, size_t, FILE *);
    struct line *l = output_line(f);
    if (l)
        return output_put(l, text, size * n) ? n : 0;
    next_function(&libc, &next, "fwrite_unlocked");
    return libc(text, size, n, f);
}

EP_PUBLIC int fputs(const char *restrict text, FILE *restrict f)
{
    static void *next;
    int (*libc)(const char *, FILE *);
    struct line *l = output_line(f);
    if (l)
        return output_put(l, text, strlen(text)) ? 1 : EOF;
    next_function(&libc, &next, "fputs");
    return libc(text, f);
}

EP_PUBLIC int fputs_unlocked(const char *restrict text, FILE *restrict f)
{
    static void *next;
    int (*libc)(const char *, FILE *);
    struct line *l = output_line(f);
    if (l)
        return output_put(l, text, strlen(text)) ? 1 : EOF;
    next_function(&libc, &next, "fputs_unlocked");
    return libc(text, f);
}

EP_PUBLIC int puts(const char *text)
{
    static void *next;
    int (*libc)(const char *);
    struct line *l = output_line(stdout);
    if (l) {
        flockfile(stdout); /* no other thread of the endpoint in between */
        bool good = output_put(l, text, strlen(text)) && put(l, '\n') != EOF;
        funlockfile(stdout);
        return good ? 1 : EOF;
    }
    next_function(&libc, &next, "puts");
    return libc(text);
}
