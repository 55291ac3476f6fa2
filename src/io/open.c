/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file is opened in three steps, each collective: the endpoints duplicate the communicator; they come to a
 * local gather, where the leaders of the processes see that all want the same, and open it, the first one
 * alone (build.c); then each has its handle. A failure anywhere, of arguments too, is everybody's. It is
 * closed in the same way.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/build.h"
#include "io/handle.h"

/* Errors of the local gather are not raised on the file's communicator, which no user knows. */
static int open_build(struct where w, ep_comm view, struct file_joiner *j)
{
    struct gather_slot s = {.view = view, .data = &j->offer, .extra = j};
    struct whole call = {.slot = &s, .act = file_build};
    errhandler_put(&view->errhandler, EP_ERRORS_RETURN, ERRHANDLER_FILE);
    j->file->view = view;
    if (!view_set_part(view, HANDLE_FILE, j->file))
        s.rc = MPI_ERR_NO_MEM;
    return whole_call((struct where){view, w.call}, &call);
}

/* Where all pointers are at first (MPI 13.2.1). */
static int64_t open_position(const struct file *x)
{
    struct stat s;
    return (x->amode & MPI_MODE_APPEND) && fstat(x->fd, &s) == 0 ? s.st_size : 0;
}

int file_open(struct where w, const struct file_ask *ask, int told, ep_file *file)
{
    ep_comm view = NULL;
    struct file_joiner j = {.ask = ask, .file = file_handle_new()};
    int rc = derive_duplicate(w, told ? told : j.file ? MPI_SUCCESS : MPI_ERR_NO_MEM, &view);
    if (rc == MPI_SUCCESS) {
        file_hints_read(&j.file->hints, ask->info);
        j.offer = (struct file_offer){ask->amode, j.file->hints.sieve_write == FILE_ENABLE};
        rc = open_build(w, view, &j);
        if (rc == MPI_SUCCESS) {
            errhandler_inherit(&view->errhandler, no_file_handler());
            store_relaxed(&j.file->position, open_position(j.file->file));
            file_handle_live(j.file);
            *file = j.file;
            return MPI_SUCCESS;
        }
        view_set_part(view, HANDLE_FILE, NULL);
        endpoint_close_view(view);
        endpoints_retire();
    }
    if (j.file)
        file_handle_delete(j.file);
    return told ? told : handle_no_file(rc);
}

/* ---- the end ---- */

/* What an endpoint brings: room for what became of it. */
struct closing {
    struct file *file;
    int class; /* of an error of the system, which is in nobody's way */
    char text[FILE_TEXT];
};

static int close_descriptor(const struct file *x)
{
    return close(x->fd) == 0 || errno == EINTR ? 0 : errno;
}

/* Once all are there, and before that nothing happens: an error till then leaves the file open. */
static void close_act(struct leaders *p, void *unused)
{
    struct file *x = ((struct closing *)(uintptr_t)p->gather->first->extra)->file;
    char text[FILE_TEXT] = "";
    (void)unused;
    int rc = leaders_vote(p, leaders_exchange(p, 0, 0), false);
    if (rc != MPI_SUCCESS) {
        leaders_fail(p, rc, NULL);
        return;
    }
    int class = file_vote(p, MPI_SUCCESS, close_descriptor(x), x->name, "closed", text);
    if (x->amode & MPI_MODE_DELETE_ON_CLOSE) {
        int error = p->me == 0 && unlink(x->name) != 0 ? errno : 0;
        rc = file_vote(p, MPI_SUCCESS, error, x->name, "deleted", text);
        class = class ? class : rc;
    }
    for (struct gather_slot *s = p->gather->first; s; s = s->next) {
        struct closing *c = (struct closing *)(uintptr_t)s->extra;
        c->class = class;
        memcpy(c->text, text, sizeof text);
    }
}

/* The last endpoint of the process. */
static void file_leave(struct file *x)
{
    if (sub_acq_rel(&x->open, 1) == 1)
        file_free(x);
}

int file_close(struct where w, ep_file *handle)
{
    ep_file f = *handle;
    struct closing c = {.file = f->file};
    struct gather_slot s = {.view = w.view, .extra = &c};
    struct whole call = {.slot = &s, .act = close_act};
    int rc = whole_call(w, &call);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c.class)
        rc = raise_error(w, c.class, "%s", c.text);
    ep_comm view = f->view;
    file_leave(f->file);
    view_forget_number(view);
    view_set_part(view, HANDLE_FILE, NULL);
    endpoint_close_view(view);
    endpoints_retire();
    file_handle_delete(f);
    *handle = EP_FILE_NULL;
    return rc;
}

/* ---- without opening it ---- */

int file_delete(struct where w, const char *name)
{
    return unlink(name) == 0 ? MPI_SUCCESS : file_raise(w, errno, name, "deleted");
}
