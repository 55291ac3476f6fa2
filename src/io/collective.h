/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective accesses (MPI 13.4.2, 13.4.3). */
#ifndef EP_IO_COLLECTIVE_H
#define EP_IO_COLLECTIVE_H

#include "io/access.h"

/* told: an error of the arguments that the caller has raised already; then data is not looked at. */
int file_access_at_all(struct where w, ep_file file, bool writes, int told, int64_t offset,
                       const struct span *data, ep_status *status);
int file_access_next_all(struct where w, ep_file file, bool writes, int told, const struct span *data,
                         ep_status *status);

#endif
