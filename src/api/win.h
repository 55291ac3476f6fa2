/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all window functions share. They raise the error and return its class, or MPI_SUCCESS. */
#ifndef EP_API_WIN_H
#define EP_API_WIN_H

#include "api/check.h"
#include "rma/rma.h"

int check_win_failed(struct where w, ep_win win);

/* Sets w->view. Inline: it is a part of what a put of a few bytes costs. */
static inline int check_win(struct where *w, ep_win win)
{
    if (unlikely(!win_is_live(win)))
        return check_win_failed(*w, win);
    w->view = win->view;
    return MPI_SUCCESS;
}

/* A rank in the window, or MPI_PROC_NULL. */
int check_win_rank(struct where w, int rank, const char *name);

#endif
