/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/hints.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/io.h"

static const char *const switch_names[] = {
    [FILE_AUTOMATIC] = "automatic", [FILE_ENABLE] = "enable", [FILE_DISABLE] = "disable"};

/* A buffer stays in a core's cache between the system's copy and the second one. */
void file_hints_init(struct file_hints *h)
{
    *h = (struct file_hints){.read_buffer = 512 << 10,
                             .write_buffer = 512 << 10,
                             .collective_buffer = 4 << 20,
                             .permissions = 0666};
}

/* No larger buffers: of a block of so many bytes less than 2^31 are sent, places included (exchange.c). */
enum { HINT_MOST = 64 << 20 };

/* ---- reading ---- */

/* Between mpi_enter and mpi_leave. */
static bool hint_text(MPI_Info info, const char *key, char value[MPI_MAX_INFO_VAL + 1])
{
    int flag = 0;
    return MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag) == MPI_SUCCESS && flag;
}

static bool hint_number(const char *text, int base, unsigned long most, unsigned long *n)
{
    char *end;
    errno = 0;
    *n = strtoul(text, &end, base);
    return errno == 0 && end != text && *end == '\0' && *n <= most;
}

static void hint_bytes(const char *text, size_t least, size_t *bytes)
{
    unsigned long n;
    if (hint_number(text, 10, ULONG_MAX, &n) && n > 0)
        *bytes = n < least ? least : n > HINT_MOST ? HINT_MOST : n;
}

static void hint_switch(const char *text, enum file_switch *value)
{
    for (size_t i = 0; i < sizeof switch_names / sizeof switch_names[0]; i++)
        if (strcasecmp(text, switch_names[i]) == 0)
            *value = (enum file_switch)i;
}

static void hint_octal(const char *text, unsigned *value)
{
    unsigned long n;
    if (hint_number(text, 8, 07777, &n))
        *value = (unsigned)n;
}

void file_hints_read(struct file_hints *h, MPI_Info info)
{
    char value[MPI_MAX_INFO_VAL + 1];
    if (info == MPI_INFO_NULL)
        return;
    mpi_enter();
#define FILE_BYTES(key, member, least)                                                                       \
    if (hint_text(info, #key, value))                                                                        \
        hint_bytes(value, least, &h->member);
#define FILE_SWITCH(key, member)                                                                             \
    if (hint_text(info, #key, value))                                                                        \
        hint_switch(value, &h->member);
#define FILE_OCTAL(key, member)                                                                              \
    if (hint_text(info, #key, value))                                                                        \
        hint_octal(value, &h->member);
#include "io/hints.def"
#undef FILE_BYTES
#undef FILE_SWITCH
#undef FILE_OCTAL
    mpi_leave();
}

/* ---- for users ---- */

/* Between mpi_enter and mpi_leave. An error code of MPI's. */
static int hints_write(const struct file_hints *h, MPI_Info info)
{
    char value[32];
    int rc = MPI_SUCCESS;
#define FILE_WRITE(key, ...)                                                                                 \
    snprintf(value, sizeof value, __VA_ARGS__);                                                              \
    if (rc == MPI_SUCCESS)                                                                                   \
        rc = MPI_Info_set(info, #key, value);
#define FILE_BYTES(key, member, least) FILE_WRITE(key, "%zu", h->member)
#define FILE_SWITCH(key, member) FILE_WRITE(key, "%s", switch_names[h->member])
#define FILE_OCTAL(key, member) FILE_WRITE(key, "%o", h->member)
#include "io/hints.def"
#undef FILE_BYTES
#undef FILE_SWITCH
#undef FILE_OCTAL
#undef FILE_WRITE
    return rc;
}

int file_get_hints(struct where w, ep_file file, MPI_Info *info)
{
    mpi_enter();
    int rc = MPI_Info_create(info);
    if (rc == MPI_SUCCESS && (rc = hints_write(&file->hints, *info)))
        MPI_Info_free(info);
    rc = error_class_of_mpi(rc);
    mpi_leave();
    return rc ? raise_error(w, rc, "an info could not be made") : MPI_SUCCESS;
}
