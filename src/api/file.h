/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all file functions share. They raise the error and return its class, or MPI_SUCCESS. */
#ifndef EP_API_FILE_H
#define EP_API_FILE_H

#include "api/check.h"
#include "io/io.h"

int check_fh_failed(struct where w, ep_file file);

/* Sets w->view. */
static inline int check_fh(struct where *w, ep_file file)
{
    if (unlikely(!file_is_live(file)))
        return check_fh_failed(*w, file);
    w->view = file->view;
    return MPI_SUCCESS;
}

#endif
