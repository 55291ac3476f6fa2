/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c: which endpoints are clients and servers, and which part of the grid is whose. */
#include "job.h"
#include "ranks.h"

#include <stdlib.h>
#include <string.h>

/* A number from 0 to 9999 that is followed by this character. NULL if there is none. */
static const char *read_number(const char *text, char end, int *number)
{
    char *rest;
    long value = strtol(text, &rest, 10);
    if (rest == text || *text < '0' || *text > '9' || value > 9999 || *rest != end)
        return NULL;
    *number = (int)value;
    return rest + 1;
}

/* One entry, up to `end`, of n processes that start with the process-th. */
static int read_entry(struct job *job, const char *text, char end, int *process)
{
    int n = 1;
    struct share share;
    const char *rest = read_number(text, 'x', &n);
    text = rest ? rest : text;
    rest = read_number(text, '+', &share.clients);
    if (!rest || !read_number(rest, end, &share.servers) || n < 1)
        return -1;
    for (int i = 0; i < n; i++, ++*process) {
        if (*process >= job->num_processes)
            return -1;
        job->shares[*process] = share;
        job->num_clients += share.clients;
        job->num_servers += share.servers;
    }
    return 0;
}

/* Rows and columns of blocks for n clients, as square as n allows; more rows than columns, as rows are shorter. */
static void arrange(struct job *job)
{
    int dims[2] = {0, 0};
    MPI_Dims_create(job->num_clients, 2, dims);
    job->num_rows = dims[0];
    job->num_columns = dims[1];
}

int layout_parse(struct job *job, const char *text)
{
    int process = 0;
    job->shares = allocate(job->num_processes, sizeof *job->shares);
    for (const char *comma; (comma = strchr(text, ',')); text = comma + 1)
        if (read_entry(job, text, ',', &process))
            return -1;
    if (read_entry(job, text, '\0', &process) || process != job->num_processes || job->num_clients == 0)
        return -1;
    arrange(job);
    return 0;
}

/* The part-th of n parts of a length. */
static void divide(int length, int n, int part, int *first, int *count)
{
    *first = (int)((long)length * part / n);
    *count = (int)((long)length * (part + 1) / n) - *first;
}

struct block client_block(const struct job *job, int client)
{
    struct block block;
    divide(job->grid.ny, job->num_rows, client / job->num_columns, &block.first_row, &block.num_rows);
    divide(job->grid.nx, job->num_columns, client % job->num_columns, &block.first_column,
           &block.num_columns);
    return block;
}

struct block server_block(const struct job *job, int server)
{
    struct block block = {0, 0, 0, job->grid.nx};
    divide(job->grid.ny, job->num_servers, server, &block.first_row, &block.num_rows);
    return block;
}

static void common(int first_a, int count_a, int first_b, int count_b, int *first, int *count)
{
    int end_a = first_a + count_a, end_b = first_b + count_b, end = end_a < end_b ? end_a : end_b;
    *first = first_a > first_b ? first_a : first_b;
    *count = end > *first ? end - *first : 0;
}

struct block block_common(struct block a, struct block b)
{
    struct block block;
    common(a.first_row, a.num_rows, b.first_row, b.num_rows, &block.first_row, &block.num_rows);
    common(a.first_column, a.num_columns, b.first_column, b.num_columns, &block.first_column,
           &block.num_columns);
    return block;
}

size_t block_size(struct block block, int levels)
{
    return (size_t)levels * block.num_rows * block.num_columns;
}
