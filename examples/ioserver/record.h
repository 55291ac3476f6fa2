/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h: one writer's part of all files: its block of each output, from the values of each step to the records in
 * the files. A writer is a server or, without servers, a client. The libraries that write are not thread-safe and want
 * one caller in each process: the writers of a process meet in ep_funnel_call, and the first of them writes for all,
 * straight from their memory.
 */
#ifndef RECORD_H
#define RECORD_H

#include "job.h"
#include "operate.h"
#include "ranks.h"

struct recorder {
    const struct job *job;
    struct block block;
    ep_funnel funnel;             /* of all writers */
    struct operate *operates;     /* by output */
    struct output **files;        /* open; only in the first writer of a process, who calls the libraries */
    int file, record;             /* to be written by the call under way */
    char message[OUTPUT_MESSAGE]; /* why one of these functions failed */
    double seconds;               /* in the libraries; of the first writer of a process */
    long long bytes;              /* written; of the first writer of a process */
    size_t memory;
};

/* Collective over the writers; so are recorder_write and recorder_close. Those that return int return 0 or -1, the
 * same in all writers; then message says why. */
int recorder_open(struct recorder *recorder, const struct job *job, struct block block, ep_comm writers);
/* Does a step's values matter for the output? Then they go into recorder_add. */
int recorder_wants(const struct recorder *recorder, int output, int step);
void recorder_add(struct recorder *recorder, int output, const float *values);
/* Write the record of the file that ends with this step. */
int recorder_write(struct recorder *recorder, int file, int step);
/* Also after a failure, whose message it then keeps. */
int recorder_close(struct recorder *recorder);

#endif
