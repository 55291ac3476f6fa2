/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * io: files. Arguments are checked already as far as they can be without the others. All functions raise
 * their errors for w (w.view is the file's view, but where something else is said) and return the class.
 */
#ifndef EP_IO_IO_H
#define EP_IO_IO_H

#include "io/access.h"
#include "io/collective.h"
#include "io/fault.h"
#include "io/file.h"
#include "io/hints.h"

/* ---- collective: called by every endpoint from its own thread ---- */

struct file_ask {
    const char *name;
    int amode;
    MPI_Info info;
};

/* w.view: the user's communicator. told: an error that the caller has raised already, which then is
 * everybody's. */
int file_open(struct where w, const struct file_ask *ask, int told, ep_file *file);
int file_close(struct where w, ep_file *handle);

/* told: as above. */
int file_set_size(struct where w, ep_file file, int told, int64_t size);
int file_preallocate(struct where w, ep_file file, int told, int64_t size);
int file_set_atomicity(struct where w, ep_file file, bool atomic);
int file_sync(struct where w, ep_file file);

struct file_view_ask {
    int64_t disp; /* or MPI_DISPLACEMENT_CURRENT */
    MPI_Datatype etype, filetype;
    enum file_datarep datarep;
};
int file_set_view(struct where w, ep_file file, int told, const struct file_view_ask *ask);

/* ---- local ---- */

/* w.view may be NULL. */
int file_delete(struct where w, const char *name);
int file_get_size(struct where w, ep_file file, MPI_Offset *size);
int file_seek(struct where w, ep_file file, MPI_Offset offset, int whence);
int file_get_view(struct where w, ep_file file, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
                  char *datarep);

/* A new info (hints.c). */
int file_get_hints(struct where w, ep_file file, MPI_Info *info);

#endif
