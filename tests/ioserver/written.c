/* SPDX-License-Identifier: BSD-3-Clause */
/* written.c: see written.h. */
#include "written.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct iodef *read_bytes(const char *bytes, size_t size, char error[ERROR_SIZE])
{
    char path[] = "/tmp/iodef_XXXXXX", text[ERROR_SIZE + sizeof path];
    int fd = mkstemp(path);
    memset(text, 'x', sizeof text);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    struct iodef *iodef = iodef_read(path, text, sizeof text);
    unlink(path);
    error[0] = '\0';
    if (!iodef) {
        ck_assert_ptr_nonnull(memchr(text, '\0', sizeof text));
        ck_assert_int_eq(strncmp(text, path, strlen(path)), 0);
        snprintf(error, ERROR_SIZE, "%s", text + strlen(path));
    }
    return iodef;
}
