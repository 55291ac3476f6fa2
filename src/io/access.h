/* SPDX-License-Identifier: BSD-3-Clause */
/* One access of one endpoint to the data of a file. */
#ifndef EP_IO_ACCESS_H
#define EP_IO_ACCESS_H

#include "io/transfer.h"

struct file_access {
    ep_file file;
    bool writes;
    size_t pos;       /* in the data of the view, in bytes */
    struct span data; /* whole etypes */
    size_t moved;     /* result: bytes */
    int error;        /* result: errno, or 0 */
};

void file_access_run(struct file_access *a);

/* Can there be such data, from etype `offset` of the view on? Raised. */
int file_access_check(struct where w, ep_file file, bool writes, int64_t offset, const struct span *data);

/* Its end: the status, which may be EP_STATUS_IGNORE; an error is raised. */
int file_access_tell(struct where w, const struct file_access *a, ep_status *status);

/* At offset, in etypes, or where the file pointer is, which goes on. */
int file_access_at(struct where w, ep_file file, bool writes, int64_t offset, const struct span *data,
                   ep_status *status);
int file_access_next(struct where w, ep_file file, bool writes, const struct span *data, ep_status *status);

#endif
