/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oracle.h: MPI's matching rules in their simplest form, to compare the engine with: one list of posted
 * receives, one of unexpected messages, both searched from the front. Slow and obviously right.
 */
#ifndef EP_LAW_ORACLE_H
#define EP_LAW_ORACLE_H

typedef struct {
    int source, tag; /* a receive's may be MPI_ANY_SOURCE and MPI_ANY_TAG */
    int id;
} oracle_item;

typedef struct {
    oracle_item *items;
    int count, room;
} oracle_list;

typedef struct {
    oracle_list posted, unexpected;
} oracle;

/* A message arrived: the id of the receive that gets it, which is removed, or -1: it is unexpected now. */
int oracle_arrive(oracle *o, int source, int tag, int id);
/* A receive was posted: the id of the message that it gets, which is removed, or -1: it is posted now. */
int oracle_post(oracle *o, int source, int tag, int id);

void oracle_append(oracle_list *l, oracle_item item);
void oracle_remove(oracle_list *l, int index);
/* Index of the first message in l that a receive (source, tag) accepts, or -1. */
int oracle_find(const oracle_list *l, int source, int tag);
void oracle_release(oracle *o);

#endif
