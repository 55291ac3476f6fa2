/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h: what people look at: how far the run is, and what it cost. */
#ifndef REPORT_H
#define REPORT_H

#include "job.h"

/* What one endpoint has to say at the end. */
struct result {
    int is_server, failed, early;
    int steps;
    double seconds, cpu_seconds; /* from the first step to the end */
    double lost;                 /* clients: in output */
    double idle, writing;        /* servers; without them clients write */
    long long bytes;             /* written by the process of a first writer */
    long long memory;            /* of buffers */
    int waits;                   /* clients: for servers */
    char reason[OUTPUT_MESSAGE];
};

/* A line on stderr, for people who watch it; by one client. Begins with step 0. */
void report_progress(const struct job *job, int step, double seconds, double lost);
/* The table on stdout. memory: of all processes, MiB. Why the run failed goes to stderr, once for each reason. */
void report_table(const struct job *job, const struct result *results, long memory);

#endif
