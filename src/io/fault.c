/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/fault.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
    int error, class;
} file_errors[] = {
#define FILE_ERRNO(errno, class) {errno, class},
#include "io/errno.def"
#undef FILE_ERRNO
};

int file_class(int error)
{
    for (size_t i = 0; i < sizeof file_errors / sizeof file_errors[0]; i++)
        if (file_errors[i].error == error)
            return file_errors[i].class;
    return error ? MPI_ERR_IO : MPI_SUCCESS;
}

void file_words(char text[FILE_TEXT], int error, const char *name, const char *done)
{
    enum { NAME_MOST = 100 };
    char room[80];
    size_t n = strlen(name);
    bool cut = n > NAME_MOST;
    const char *words = error ? strerror_r(error, room, sizeof room) : "it failed in another process";
    if (cut)
        name += n - NAME_MOST;
    snprintf(text, FILE_TEXT, "file \"%s%s\" cannot be %s: %s", cut ? "..." : "", name, done, words);
}

int file_raise(struct where w, int error, const char *name, const char *done)
{
    char text[FILE_TEXT];
    file_words(text, error, name, done);
    return raise_error(w, file_class(error), "%s", text);
}
