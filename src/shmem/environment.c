/* SPDX-License-Identifier: BSD-3-Clause */
#include "shmem/environment.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The standard's name, then the older one; NULL: neither is set. */
static const char *environment_text(const char *name, const char *older)
{
    const char *text = getenv(name);
    return text ? text : getenv(older);
}

/* Unset, or set to nothing or 0: no. */
static bool environment_is_on(const char *name, const char *older)
{
    const char *text = environment_text(name, older);
    return text && *text && strcmp(text, "0") != 0;
}

static int shift_of(char unit)
{
    static const char units[] = "KMGT";
    const char *at = unit ? strchr(units, unit & ~0x20) : NULL;
    return at ? 10 * (int)(at - units + 1) : 0;
}

bool environment_size(const char *text, size_t *bytes)
{
    char *end;
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", NULL); /* the program's may have another point */
    double number = c ? strtod_l(text, &end, c) : strtod(text, &end);
    if (c)
        freelocale(c);
    int shift = shift_of(*end);
    if (end == text || end[shift > 0] || !(number >= 0))
        return false;
    number = ldexp(number, shift);
    if (number > ldexp(1, 62))
        return false;
    *bytes = (size_t)number;
    *bytes += (double)*bytes < number; /* ceil is not in libc */
    return true;
}

int environment_read(struct shmem_pe *pe, const char *call, size_t *heap_bytes)
{
    const char *text = environment_text("SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE");
    *heap_bytes = 0;
    pe->checks = settings.check || environment_is_on("SHMEM_DEBUG", "SMA_DEBUG");
    if (!text || !*text || environment_size(text, heap_bytes))
        return pe_agree(pe, MPI_SUCCESS);
    pe_agree(pe, MPI_ERR_ARG);
    return pe_error(pe, call, MPI_ERR_ARG, "SHMEM_SYMMETRIC_SIZE is '%s': no size such as 1.5G", text);
}

void environment_tell(const struct shmem_pe *pe)
{
    if (pe->reach.me != 0)
        return;
    if (environment_is_on("SHMEM_VERSION", "SMA_VERSION"))
        printf(SHMEM_VENDOR_STRING ", OpenSHMEM %d.%d\n", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION);
    if (environment_is_on("SHMEM_INFO", "SMA_INFO"))
        printf("SHMEM_VERSION         print the library's version at the start\n"
               "SHMEM_INFO            print this\n"
               "SHMEM_SYMMETRIC_SIZE  bytes of the symmetric heap of each PE, such as 1.5G; now %zu\n"
               "SHMEM_DEBUG           compare collective calls and look at freed memory, as EP_CHECK=1 does\n",
               pe->reach.heap_bytes);
    fflush(stdout);
}
