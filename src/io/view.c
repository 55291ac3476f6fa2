/* SPDX-License-Identifier: BSD-3-Clause */
/* Views and individual file pointers (MPI 13.3, 13.4.3). */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/together.h"

static int64_t view_displacement(const struct ep_file_s *f, int64_t disp)
{
    return disp == MPI_DISPLACEMENT_CURRENT
               ? file_layout_place(&f->layout, file_bytes_at(f, load_relaxed(&f->position)))
               : disp;
}

static int view_raise(struct where w, int rc, const char *why)
{
    return rc == MPI_ERR_NO_MEM ? raise_error(w, rc, "no memory for the view")
                                : raise_error(w, rc, "argument filetype: %s", why);
}

/* What is wrong with an endpoint's own view it finds by itself, before all come together. */
int file_set_view(struct where w, ep_file file, int told, const struct file_view_ask *ask)
{
    struct file_layout l = {.disp = view_displacement(file, ask->disp), .datarep = ask->datarep};
    bool written = !(file->file->amode & MPI_MODE_RDONLY);
    const char *why = NULL;
    int rc = told ? told : file_layout_make(&l, ask->etype, ask->filetype, written, &why);
    bool made = rc == MPI_SUCCESS;
    if (rc != told)
        rc = view_raise(w, rc, why);
    struct file_together t = {.file = file->file,
                              .same = {ask->datarep, made ? l.etype->extent : 0},
                              .names = {"the number of argument datarep", "the extent of argument etype"}};
    rc = file_do_together(w, &t, rc);
    if (rc == MPI_SUCCESS) {
        file_layout_free(&file->layout);
        file->layout = l;
        store_relaxed(&file->position, 0);
    } else if (made) {
        file_layout_free(&l);
    }
    return rc;
}

/* A handle for the user. An error code of MPI's. */
static int view_type(const struct type *t, MPI_Datatype held, MPI_Datatype *datatype)
{
    *datatype = held;
    return t->named ? MPI_SUCCESS : MPI_Type_dup(held, datatype);
}

int file_get_view(struct where w, ep_file file, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
                  char *datarep)
{
    const struct file_layout *l = &file->layout;
    mpi_enter();
    int rc = view_type(l->etype, l->etype_mpi, etype);
    if (rc == MPI_SUCCESS && (rc = view_type(l->filetype, l->filetype_mpi, filetype)) && !l->etype->named)
        MPI_Type_free(etype);
    rc = error_class_of_mpi(rc);
    mpi_leave();
    if (rc)
        return raise_error(w, rc, "a datatype could not be duplicated");
    *disp = l->disp;
    sprintf(datarep, "%s", file_datarep_names[l->datarep]);
    return MPI_SUCCESS;
}

/* ---- the file pointer ---- */

/* The first etype behind the end of the file. An errno. */
static int view_eof(const struct ep_file_s *f, int64_t *offset)
{
    struct stat s;
    if (fstat(f->file->fd, &s) != 0)
        return errno;
    size_t size = f->layout.etype->size;
    *offset = (int64_t)((file_layout_data_before(&f->layout, s.st_size) + size - 1) / size);
    return 0;
}

int file_seek(struct where w, ep_file file, MPI_Offset offset, int whence)
{
    int64_t from = whence == MPI_SEEK_CUR ? load_relaxed(&file->position) : 0, to;
    int error = whence == MPI_SEEK_END ? view_eof(file, &from) : 0;
    if (error)
        return file_raise(w, error, file->file->name, "asked for its size");
    if (__builtin_add_overflow(from, (int64_t)offset, &to) || to < 0)
        return raise_error(w, MPI_ERR_ARG,
                           "argument offset is %lld: that is before the beginning of the view",
                           (long long)offset);
    store_relaxed(&file->position, to);
    return MPI_SUCCESS;
}
