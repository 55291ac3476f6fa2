/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * harness.h: what every benchmark program needs: a clock, pinning, and median and minimum of a
 * few batches. Programs print one line per cell, "kernel size median min", in us per message;
 * bench.sh puts round and peer in front, report.py reads them.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

/* Settings of one run, from the command line. */
struct bench_options {
    int threads;         /* ranks in this process */
    bool multiple;       /* ask MPI for MPI_THREAD_MULTIPLE also where one thread runs */
    bool pin;            /* bind thread t of process p to the (p * threads + t)-th allowed CPU */
    double seconds;      /* measured time per cell */
    int batches;         /* the cell's time is cut into this many */
    long max_size;       /* largest message, bytes */
    const char *kernels; /* comma-separated names */
};

/* --threads=N --multiple --pin --ms=N --batches=N --max=BYTES --kernels=a,b; exits on anything else. */
void bench_parse(struct bench_options *opt, int argc, char **argv);

/* Is name in the comma-separated list? */
bool bench_wanted(const char *list, const char *name);

double bench_now(void);

/* CPUs this process may use, counted once, before any thread is pinned. */
int bench_cpus(void);
/* Bind the calling thread to the index-th allowed CPU, counted modulo their number. */
void bench_pin(int index);

/* Memory that starts on a huge page, alike for all peers, with every page present. */
void *bench_buffer(size_t bytes);

/* Sort the values and print the line of one cell. */
void bench_print(const char *kernel, long size, double *us, int count);

/* Write value to every word; sum of all words. What a program does around a message. */
void bench_write(void *buf, size_t bytes, unsigned long value);
unsigned long bench_sum(const void *buf, size_t bytes);

#endif
