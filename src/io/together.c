/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/together.h"

#include <stdio.h>
#include <string.h>

static struct file_together *together_of(const struct gather_slot *s)
{
    return (struct file_together *)(uintptr_t)s->extra;
}

void file_fail(struct leaders *p, int rc, const char *text, const char *name, const char *done)
{
    leaders_fail(p, rc, NULL);
    for (struct gather_slot *s = p->gather->first; s; s = s->next) {
        char *room = (char *)(uintptr_t)s->extra;
        if (s->why || s->raised || s->culprit >= 0)
            continue;
        if (text[0])
            memcpy(room, text, FILE_TEXT);
        else
            file_words(room, 0, name, done);
        s->why = room;
    }
}

int file_vote(struct leaders *p, int rc, int error, const char *name, const char *done, char *text)
{
    enum { ERRNO = 1 << 24 }; /* more than all classes of MPI's */
    rc = leaders_vote(p, error ? ERRNO + error : rc, false);
    if (rc <= ERRNO)
        return rc;
    file_words(text, rc - ERRNO, name, done);
    return file_class(rc - ERRNO);
}

/* The same everywhere. */
static int together_compare(const struct leaders *p, const struct file_together *t, char *text)
{
    const int64_t *first = leaders_item(p, 0, 0);
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < p->count[v]; i++)
            for (int k = 0; k < 2; k++) {
                const int64_t *other = leaders_item(p, v, i);
                if (other[k] == first[k])
                    continue;
                snprintf(text, FILE_TEXT, "%s is %lld in one endpoint and %lld in another", t->names[k],
                         (long long)first[k], (long long)other[k]);
                return MPI_ERR_NOT_SAME;
            }
    return MPI_SUCCESS;
}

static void together_act(struct leaders *p, void *unused)
{
    const struct file_together *t = together_of(p->gather->first);
    char text[FILE_TEXT] = "";
    (void)unused;
    int rc = leaders_vote(p, leaders_exchange(p, sizeof t->same, 0), false);
    if (rc == MPI_SUCCESS)
        rc = together_compare(p, t, text);
    if (rc == MPI_SUCCESS && t->act) {
        int error = t->act(t->file, t->same[0], p->me == 0);
        rc = file_vote(p, MPI_SUCCESS, error, t->file->name, t->done, text);
    }
    if (rc != MPI_SUCCESS)
        file_fail(p, rc, text, t->file->name, t->done);
}

int file_do_together(struct where w, struct file_together *t, int told)
{
    struct gather_slot s = {
        .view = w.view, .data = t->same, .extra = t, .rc = told, .raised = told != MPI_SUCCESS};
    struct whole call = {.slot = &s, .act = together_act};
    return whole_call(w, &call);
}
