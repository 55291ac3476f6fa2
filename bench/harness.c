/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "harness.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *value_of(const char *arg, const char *name)
{
    size_t n = strlen(name);
    return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static bool parse_one(struct bench_options *opt, const char *arg)
{
    const char *v;
    if (strcmp(arg, "--multiple") == 0)
        opt->multiple = true;
    else if (strcmp(arg, "--pin") == 0)
        opt->pin = true;
    else if ((v = value_of(arg, "--threads")))
        opt->threads = atoi(v);
    else if ((v = value_of(arg, "--ms")))
        opt->seconds = atof(v) / 1e3;
    else if ((v = value_of(arg, "--batches")))
        opt->batches = atoi(v);
    else if ((v = value_of(arg, "--max")))
        opt->max_size = atol(v);
    else if ((v = value_of(arg, "--kernels")))
        opt->kernels = v;
    else
        return false;
    return true;
}

void bench_parse(struct bench_options *opt, int argc, char **argv)
{
    *opt = (struct bench_options){.threads = 1, .seconds = 0.05, .batches = 30, .max_size = 4 << 20};
    opt->kernels = "latency";
    for (int i = 1; i < argc; i++) {
        if (!parse_one(opt, argv[i]) || opt->threads < 1 || opt->batches < 1 || opt->seconds <= 0) {
            fprintf(stderr, "%s: bad argument %s\n", argv[0], argv[i]);
            exit(2);
        }
    }
}

bool bench_wanted(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && (at[n] == 0 || at[n] == ','))
            return true;
    return false;
}

double bench_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static cpu_set_t allowed;
static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;

static void find_allowed(void)
{
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_SET(0, &allowed);
}

int bench_cpus(void)
{
    pthread_once(&allowed_once, find_allowed);
    return CPU_COUNT(&allowed);
}

void bench_pin(int index)
{
    int left = index % bench_cpus();
    int cpu = 0;
    while (!CPU_ISSET(cpu, &allowed) || left-- > 0)
        cpu++;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

void *bench_buffer(size_t bytes)
{
    const size_t huge = (size_t)2 << 20;
    size_t room = (bytes + huge - 1) / huge * huge;
    void *buf = aligned_alloc(huge, room);
    if (!buf) {
        fprintf(stderr, "no memory for a buffer of %zu bytes\n", room);
        exit(1);
    }
    memset(buf, 1, room);
    return buf;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_print(const char *kernel, long size, double *us, int count)
{
    qsort(us, (size_t)count, sizeof *us, by_value);
    double median = (us[(count - 1) / 2] + us[count / 2]) / 2;
    printf("%s %ld %.6f %.6f\n", kernel, size, median, us[0]);
    fflush(stdout);
}

void bench_write(void *buf, size_t bytes, unsigned long value)
{
    unsigned long *word = buf;
    for (size_t i = 0; i < bytes / sizeof *word; i++)
        word[i] = value;
}

unsigned long bench_sum(const void *buf, size_t bytes)
{
    const unsigned long *word = buf;
    unsigned long sum = 0;
    for (size_t i = 0; i < bytes / sizeof *word; i++)
        sum += word[i];
    return sum;
}
