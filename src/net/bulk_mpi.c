/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transfer is begun by the endpoint that asks for it: it takes a number, and says in a message which. Both
 * sides then send or receive with the tag of that number. The number is not used again before the transfer is over on
 * the side that chose it, so at any time a pair of processes has at most one transfer with a tag and direction.
 *
 * All MPI calls are made by the polls: with MPI_THREAD_FUNNELED nobody else may, and otherwise nobody else needs to.
 */
#include "net/am.h"

void net_bulk_add(struct net_am_domain *d, struct net_bulk *b)
{
    b->domain = d;
    b->started = false;
    lock_acquire(&d->lock);
    b->next = d->bulks;
    d->bulks = b;
    add_relaxed(&d->nbulks, 1);
    add_relaxed(&net_am_in_hand, 1);
    lock_release(&d->lock);
}

/* Start or test one: an error class, and is it over? Between mpi_enter and mpi_leave. */
static int bulk_mpi_advance(struct net_am_domain *d, struct net_bulk *b, int *over)
{
    int rc = MPI_SUCCESS;
    MPI_Comm am = d->domain->am;
    if (!b->started)
        rc = b->sends ? MPI_Isend(b->data, (int)b->bytes, MPI_BYTE, b->peer, b->tag, am, &b->mpi)
                      : MPI_Irecv(b->data, (int)b->bytes, MPI_BYTE, b->peer, b->tag, am, &b->mpi);
    b->started = true;
    if (rc == MPI_SUCCESS)
        rc = MPI_Test(&b->mpi, over, MPI_STATUS_IGNORE);
    *over |= rc != MPI_SUCCESS;
    return error_class_of_mpi(rc);
}

bool net_bulk_poll(struct net_am_domain *d)
{
    bool any = false;
    lock_acquire(&d->lock);
    struct net_bulk *b = d->bulks, *next;
    d->bulks = NULL;
    lock_release(&d->lock);
    for (; b; b = next) {
        int over = 0;
        next = b->next;
        mpi_enter();
        int rc = bulk_mpi_advance(d, b, &over);
        mpi_leave();
        if (over) {
            add_relaxed(&d->nbulks, -1);
            add_relaxed(&net_am_in_hand, -1);
            b->done(b, rc);
            any = true;
            continue;
        }
        lock_acquire(&d->lock);
        b->next = d->bulks;
        d->bulks = b;
        lock_release(&d->lock);
    }
    return any;
}

int net_bulk_number(struct net_am_domain *d)
{
    int number = -1;
    lock_acquire(&d->lock);
    for (int i = 0; i < NET_BULK_TAGS / 64 && number < 0; i++)
        if (~d->numbers[i]) {
            int bit = __builtin_ctzll(~d->numbers[i]);
            d->numbers[i] |= UINT64_C(1) << bit;
            number = i * 64 + bit;
        }
    lock_release(&d->lock);
    return number;
}

void net_bulk_number_free(struct net_am_domain *d, int number)
{
    lock_acquire(&d->lock);
    d->numbers[number / 64] &= ~(UINT64_C(1) << number % 64);
    lock_release(&d->lock);
}
