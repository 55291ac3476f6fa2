/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between a process's memory and that of a peer, by the kernel: process_vm_readv and process_vm_writev. peer.c has tried
 * that they are allowed when the two met.
 *
 * The kernel pins pages a few at a time, and a call costs about as much as the copy of 2 KiB, so pieces go in batches. What it
 * returns is how many bytes of the batch, in order, were copied; less than all where it met an address that is not memory, and
 * for more than 2 GiB in a batch.
 */
#include <sys/uio.h>

#include "net/peer.h"

enum { BATCH = 64 }; /* pieces */

/* At most BATCH. The bytes that were copied; <= 0: none. */
static ssize_t copy_batch(const struct net_peer *peer, enum net_way way, const struct net_piece *pieces,
                          size_t n, size_t skip)
{
    struct iovec here[BATCH], there[BATCH];
    for (size_t i = 0; i < n; i++) {
        here[i] = (struct iovec){pieces[i].here, pieces[i].bytes};
        there[i] = (struct iovec){(void *)(uintptr_t)pieces[i].there, pieces[i].bytes};
    }
    here[0] = (struct iovec){pieces[0].here + skip, pieces[0].bytes - skip};
    there[0] = (struct iovec){(void *)(uintptr_t)(pieces[0].there + skip), pieces[0].bytes - skip};
    return way == NET_READ ? process_vm_readv(peer->pid, here, n, there, n, 0)
                           : process_vm_writev(peer->pid, here, n, there, n, 0);
}

int net_peer_copy(const struct net_peer *peer, enum net_way way, const struct net_piece *pieces, size_t n)
{
    size_t skip = 0; /* of the first piece: copied */
    while (n > 0) {
        if (pieces->bytes == skip) {
            pieces++, n--, skip = 0;
            continue;
        }
        ssize_t copied = copy_batch(peer, way, pieces, n < BATCH ? n : BATCH, skip);
        if (copied <= 0)
            return MPI_ERR_BUFFER;
        for (skip += (size_t)copied; n > 0 && skip >= pieces->bytes && skip > 0; pieces++, n--)
            skip -= pieces->bytes;
    }
    return MPI_SUCCESS;
}
