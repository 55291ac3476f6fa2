/* SPDX-License-Identifier: BSD-3-Clause */
/* What the endpoints of a file do together, the leader of each process for all of its own. */
#ifndef EP_IO_TOGETHER_H
#define EP_IO_TOGETHER_H

#include <stddef.h>

#include "derive/derive.h"
#include "io/io.h"

/* What endpoints bring to a local gather of files begins with room for the text of an error (file_fail). */
#define FILE_HAS_TEXT(type)                                                                                  \
    _Static_assert(offsetof(struct type, text) == 0 && sizeof(((struct type *)0)->text) == FILE_TEXT,        \
                   "file_fail writes there")

/* What an endpoint brings. */
struct file_together {
    char text[FILE_TEXT];
    struct file *file;
    int64_t same[2];      /* has to be the same everywhere */
    const char *names[2]; /* what that is */
    /* In each leader when all are there, the first process's with `first`; may be NULL. An errno. */
    int (*act)(struct file *x, int64_t value, bool first);
    const char *done; /* what act does, in words for a text */
};
FILE_HAS_TEXT(file_together);

/* Nobody goes on before all have acted. told: an error that the caller has raised already. */
int file_do_together(struct where w, struct file_together *t, int told);

/* In a leader: all processes have come so far, with an error class, or an errno (or 0 both). The worst of
 * all, as a class; what an errno means is written to text. */
int file_vote(struct leaders *p, int rc, int error, const char *name, const char *done, char *text);

/* In a leader: all that came get rc, and text, or where it is empty that it happened in another process; in
 * their own memory, where slot->extra begins. */
void file_fail(struct leaders *p, int rc, const char *text, const char *name, const char *done);

#endif
