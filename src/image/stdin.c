/* SPDX-License-Identifier: BSD-3-Clause */
/* stdin: the process's for rank 0; the others, as processes under mpirun, find it at its end. And functions
 * of libc that read it without saying so. */
#include <dlfcn.h>
#include <ep.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "dropin/dropin.h"
#include "image/image.h"

#undef stdin
WEAK FILE *stdin;

static int rank;

bool stdin_is_process(void)
{
    return rank == 0;
}

static void stdin_start(void)
{
    FILE **of_process = dlsym(RTLD_DEFAULT, "stdin");
    if (ep_rank_bound())
        rank = ep_rank_number(ep_rank_bound());
    stdin = rank == 0 && of_process ? *of_process : fopen("/dev/null", "re");
    if (stdin)
        return;
    dprintf(STDERR_FILENO, "eprun: rank %d: no stdin: %s\n", rank,
            strerror(errno)); /* rank 0's is not its own */
    _exit(EXIT_FAILURE);
}

BEFORE_CONSTRUCTORS static void (*const at_start)(void) = stdin_start;

/* ---- scanf and its like ---- */

static int vscan(const char *format, va_list args)
{
    return vfscanf(stdin, format, args);
}

static int scan(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vscan(format, args);
    va_end(args);
    return n;
}

static int vscan_wide(const wchar_t *format, va_list args)
{
    return vfwscanf(stdin, format, args);
}

static int scan_wide(const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vscan_wide(format, args);
    va_end(args);
    return n;
}

/* The headers give them other names, by the standard that a program is compiled for. */
#define NAMED(name, function) __asm__(#name) __attribute__((weak, alias(#function)))
extern __typeof(scan) scanf_plain NAMED(scanf, scan);
extern __typeof(scan) scanf_99 NAMED(__isoc99_scanf, scan);
extern __typeof(scan) scanf_23 NAMED(__isoc23_scanf, scan);
extern __typeof(vscan) vscanf_plain NAMED(vscanf, vscan);
extern __typeof(vscan) vscanf_99 NAMED(__isoc99_vscanf, vscan);
extern __typeof(vscan) vscanf_23 NAMED(__isoc23_vscanf, vscan);
extern __typeof(scan_wide) wscanf_plain NAMED(wscanf, scan_wide);
extern __typeof(scan_wide) wscanf_99 NAMED(__isoc99_wscanf, scan_wide);
extern __typeof(scan_wide) wscanf_23 NAMED(__isoc23_wscanf, scan_wide);
extern __typeof(vscan_wide) vwscanf_plain NAMED(vwscanf, vscan_wide);
extern __typeof(vscan_wide) vwscanf_99 NAMED(__isoc99_vwscanf, vscan_wide);
extern __typeof(vscan_wide) vwscanf_23 NAMED(__isoc23_vwscanf, vscan_wide);

static int get(void)
{
    return getc(stdin);
}

static int get_unlocked(void)
{
    return getc_unlocked(stdin);
}

static wint_t get_wide(void)
{
    return getwc(stdin);
}

/* The headers may define these inline. */
extern __typeof(get) get_named NAMED(getchar, get);
extern __typeof(get_unlocked) get_unlocked_named NAMED(getchar_unlocked, get_unlocked);
extern __typeof(get_wide) get_wide_named NAMED(getwchar, get_wide);
extern __typeof(get_wide) get_wide_unlocked_named NAMED(getwchar_unlocked, get_wide);

/* Gone from the standard, still in programs. */
char *gets(char *line);
WEAK char *gets(char *line)
{
    size_t n = 0;
    int c = getc(stdin);
    if (c == EOF)
        return NULL;
    for (; c != EOF && c != '\n'; c = getc(stdin))
        line[n++] = (char)c;
    line[n] = '\0';
    return ferror(stdin) ? NULL : line;
}
