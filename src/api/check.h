/* SPDX-License-Identifier: BSD-3-Clause */
/* api: checks the arguments, finds the objects, calls one function below, reports errors. */
#ifndef EP_API_CHECK_H
#define EP_API_CHECK_H

#include "p2p/p2p.h"

/* The view behind a handle or one of the constants; NULL if it is none. */
ep_comm view_of(ep_comm comm);

/* Each check raises the error and returns its class, or MPI_SUCCESS. The first sets w->view. */
int check_comm(struct where *w, ep_comm comm);
int check_data(struct where w, const void *buf, int count, MPI_Datatype datatype, struct span *data);
/* Parts of check_data, for arguments of other names. */
int check_count(struct where w, int count, const char *name);
int check_type(struct where w, MPI_Datatype datatype, const char *name, struct type **type);
int check_dest(struct where w, int dest);
int check_source(struct where w, int source);
int check_tag(struct where w, int tag, bool wildcard);
int check_pointer(struct where w, const void *p, const char *name);
int check_request(struct where w, ep_request r);
int check_requests(struct where w, int count, const ep_request r[]);

#endif
