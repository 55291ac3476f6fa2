/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A transfer is begun by the endpoint that asks for it: it takes a number, and says with AM_BULK_PUT or AM_BULK_GET which. Both
 * sides then send or receive with the tag of that number. The number is not used again before the transfer is over on
 * the side that chose it, so at any time a pair of processes has at most one transfer with a tag and direction.
 *
 * All MPI calls are made by the polls: with MPI_THREAD_FUNNELED nobody else may, and otherwise nobody else needs to.
 */
#include "rma/mail.h"

void bulk_add(struct mail *m, struct bulk *b)
{
    b->mail = m;
    b->started = false;
    lock_acquire(&m->lock);
    b->next = m->bulks;
    m->bulks = b;
    add_relaxed(&m->nbulks, 1);
    lock_release(&m->lock);
}

/* Start or test one: an error class, and is it over? Between mpi_enter and mpi_leave. */
static int advance(struct mail *m, struct bulk *b, int *over)
{
    int rc = MPI_SUCCESS;
    MPI_Comm am = m->universe->am;
    if (!b->started)
        rc = b->sends ? MPI_Isend(b->data, (int)b->bytes, MPI_BYTE, b->peer, b->tag, am, &b->mpi)
                      : MPI_Irecv(b->data, (int)b->bytes, MPI_BYTE, b->peer, b->tag, am, &b->mpi);
    b->started = true;
    if (rc == MPI_SUCCESS)
        rc = MPI_Test(&b->mpi, over, MPI_STATUS_IGNORE);
    *over |= rc != MPI_SUCCESS;
    return error_class_of_mpi(rc);
}

bool bulk_poll(struct mail *m)
{
    bool any = false;
    lock_acquire(&m->lock);
    struct bulk *b = m->bulks, *next;
    m->bulks = NULL;
    lock_release(&m->lock);
    for (; b; b = next) {
        int over = 0;
        next = b->next;
        mpi_enter();
        int rc = advance(m, b, &over);
        mpi_leave();
        if (over) {
            add_relaxed(&m->nbulks, -1);
            b->done(b, rc);
            any = true;
            continue;
        }
        lock_acquire(&m->lock);
        b->next = m->bulks;
        m->bulks = b;
        lock_release(&m->lock);
    }
    return any;
}

int bulk_number(struct mail *m)
{
    int number = -1;
    lock_acquire(&m->lock);
    for (int i = 0; i < BULK_TAGS / 64 && number < 0; i++)
        if (~m->numbers[i]) {
            int bit = __builtin_ctzll(~m->numbers[i]);
            m->numbers[i] |= UINT64_C(1) << bit;
            number = i * 64 + bit;
        }
    lock_release(&m->lock);
    return number;
}

void bulk_number_free(struct mail *m, int number)
{
    lock_acquire(&m->lock);
    m->numbers[number / 64] &= ~(UINT64_C(1) << number % 64);
    lock_release(&m->lock);
}
