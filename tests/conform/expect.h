/* SPDX-License-Identifier: BSD-3-Clause */
/* Small helpers of the conformance programs, on top of conform.h. */
#ifndef CONFORM_EXPECT_H
#define CONFORM_EXPECT_H

#include "conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HELPER __attribute__((unused)) static

HELPER void expect_int(const char *what, long long got, long long want)
{
    if (got != want)
        conform_error("%s is %lld, not %lld", what, got, want);
}

/* The status that null and inactive requests have (MPI 3.7.3). */
HELPER void expect_empty(const char *what, const MPI_Status *status)
{
    int count = -1, cancelled = -1;

    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    if (status->MPI_SOURCE != MPI_ANY_SOURCE || status->MPI_TAG != MPI_ANY_TAG || count != 0 ||
        cancelled != 0)
        conform_error("%s: the empty status has source %d, tag %d, count %d, cancelled %d", what,
                      status->MPI_SOURCE, status->MPI_TAG, count, cancelled);
}

HELPER int rank_of(MPI_Comm comm)
{
    int rank;

    MPI_Comm_rank(comm, &rank);
    return rank;
}

HELPER int size_of(MPI_Comm comm)
{
    int size;

    MPI_Comm_size(comm, &size);
    return size;
}

/* Ranks that can be talked to. */
HELPER int peers_of(MPI_Comm comm, int is_inter)
{
    int size;

    if (is_inter)
        MPI_Comm_remote_size(comm, &size);
    else
        MPI_Comm_size(comm, &size);
    return size;
}

/* Whether the caller is in the group of an intercommunicator that has rank 0 of MPI_COMM_WORLD. */
HELPER int is_low(MPI_Comm comm)
{
    MPI_Group world, mine;
    int zero = 0, place;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &mine);
    MPI_Group_translate_ranks(world, 1, &zero, mine, &place);
    MPI_Group_free(&world);
    MPI_Group_free(&mine);
    return place != MPI_UNDEFINED;
}

/* Numbers that differ by seed and place. */
HELPER void fill(int *data, int count, int seed)
{
    for (int i = 0; i < count; i++)
        data[i] = seed * 7919 + i;
}

/* Place of the first number that is not as filled, or -1. */
HELPER int differs(const int *data, int count, int seed)
{
    for (int i = 0; i < count; i++)
        if (data[i] != seed * 7919 + i)
            return i;
    return -1;
}

/* The library's numbers for the status of a message of ints. */
HELPER void expect_status(const char *what, const MPI_Status *status, int source, int tag, int count)
{
    int got = -1;

    MPI_Get_count(status, MPI_INT, &got);
    if (status->MPI_SOURCE != source || status->MPI_TAG != tag || got != count)
        conform_error("%s: source %d, tag %d, count %d instead of %d, %d, %d", what, status->MPI_SOURCE,
                      status->MPI_TAG, got, source, tag, count);
}

#endif
