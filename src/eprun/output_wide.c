/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wide characters to stdout and stderr. A stream with functions of its own, as output.c makes them, takes none, and a
 * stream's orientation would be the whole process's; so they become bytes here. Exported to the program.
 */
#undef _FORTIFY_SOURCE /* <wchar.h> is not to define any of them itself */
#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>

#include "eprun/next.h"
#include "eprun/output.h"

EP_PUBLIC int __vfwprintf_chk(FILE *restrict f, int flag, const wchar_t *restrict format, va_list args);
EP_PUBLIC int __fwprintf_chk(FILE *restrict f, int flag, const wchar_t *restrict format, ...);
EP_PUBLIC int __vwprintf_chk(int flag, const wchar_t *restrict format, va_list args);
EP_PUBLIC int __wprintf_chk(int flag, const wchar_t *restrict format, ...);

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

int __vfwprintf_chk(FILE *restrict f, int flag, const wchar_t *restrict format, va_list args)
{
    if (output_line(f))
        return output_wide_print(f, format, args);
    return NEXT(__vfwprintf_chk)(f, flag, format, args);
}

EP_PUBLIC int fwprintf(FILE *restrict f, const wchar_t *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = vfwprintf(f, format, args);
    va_end(args);
    return rc;
}

int __fwprintf_chk(FILE *restrict f, int flag, const wchar_t *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = __vfwprintf_chk(f, flag, format, args);
    va_end(args);
    return rc;
}

EP_PUBLIC int vwprintf(const wchar_t *restrict format, va_list args)
{
    return vfwprintf(stdout, format, args);
}

int __vwprintf_chk(int flag, const wchar_t *restrict format, va_list args)
{
    return __vfwprintf_chk(stdout, flag, format, args);
}

EP_PUBLIC int wprintf(const wchar_t *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = vfwprintf(stdout, format, args);
    va_end(args);
    return rc;
}

int __wprintf_chk(int flag, const wchar_t *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = __vfwprintf_chk(stdout, flag, format, args);
    va_end(args);
    return rc;
}

EP_PUBLIC wint_t fputwc(wchar_t c, FILE *f)
{
    if (output_line(f))
        return put_wide(f, &c, 1) < 0 ? WEOF : (wint_t)c;
    return NEXT(fputwc)(c, f);
}

EP_PUBLIC wint_t putwc(wchar_t c, FILE *f)
{
    return fputwc(c, f);
}

EP_PUBLIC wint_t putwchar(wchar_t c)
{
    return fputwc(c, stdout);
}

EP_PUBLIC wint_t fputwc_unlocked(wchar_t c, FILE *f)
{
    return fputwc(c, f);
}

EP_PUBLIC wint_t putwc_unlocked(wchar_t c, FILE *f)
{
    return fputwc(c, f);
}

EP_PUBLIC wint_t putwchar_unlocked(wchar_t c)
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
{
    return fputws(text, f);
}

/* An endpoint's lines take both kinds. */
EP_PUBLIC int fwide(FILE *f, int mode)
{
    if (output_line(f))
        return mode;
    return NEXT(fwide)(f, mode);
}
