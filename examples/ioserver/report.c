/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c: progress and the table at the end. */
#include "report.h"

#include <stdio.h>
#include <string.h>

void report_progress(const struct job *job, int step, double seconds, double lost)
{
    enum { WIDTH = 40 };
    int steps = job->iodef->num_steps, done = (int)((long)WIDTH * step / steps);
    char bar[WIDTH + 1];
    memset(bar, '=', done);
    memset(bar + done, ' ', WIDTH - done);
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] step %d of %d", bar, step, steps);
    if (step > 0)
        fprintf(stderr, ", %.1f a second, lost to output %.1f %%  ", step / seconds, 100 * lost / seconds);
    if (step == steps)
        fputc('\n', stderr);
}

/* Sums and extremes over clients, and over servers. */
struct summary {
    int num;
    double seconds, cpu, lost, idle, writing, worst_lost, longest, first_writers;
    long long bytes, memory;
    int waits;
};

static void add_result(struct summary *sum, const struct result *result)
{
    sum->num++;
    sum->seconds += result->seconds;
    sum->cpu += result->cpu_seconds;
    sum->lost += result->lost;
    sum->idle += result->idle;
    sum->writing += result->writing;
    sum->bytes += result->bytes;
    sum->memory += result->memory;
    sum->first_writers += result->bytes > 0;
    double lost = result->seconds > 0 ? result->lost / result->seconds : 0;
    sum->worst_lost = lost > sum->worst_lost ? lost : sum->worst_lost;
    sum->longest = result->seconds > sum->longest ? result->seconds : sum->longest;
    sum->waits += result->waits;
}

static void print_reasons(const struct job *job, const struct result *results)
{
    int size = job->num_clients + job->num_servers;
    for (int i = 0; i < size; i++) {
        int said = !results[i].reason[0];
        for (int j = 0; j < i && !said; j++)
            said = strcmp(results[i].reason, results[j].reason) == 0;
        if (!said)
            fprintf(stderr, "ioserver: %s\n", results[i].reason);
    }
}

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_servers(const struct job *job, const struct summary *clients, const struct summary *servers)
{
    if (job->num_servers == 0)
        return;
    double busy = servers->seconds - servers->idle;
    printf("  servers busy         %8.1f %%    (CPU time %.1f %%)\n", share(busy, servers->seconds),
           share(servers->cpu, servers->seconds));
    printf("  buffers              %8.1f MB   in clients, %.1f MB in servers; clients waited %d times for a "
           "buffer\n",
           clients->memory / 1e6, servers->memory / 1e6, clients->waits);
}

static void print_writing(const struct job *job, const struct summary *writers)
{
    printf("  written              %8.1f MB   in %d files, %.1f MB/s of the run, %.0f MB/s while writing\n",
           writers->bytes / 1e6, job->iodef->num_files,
           writers->longest > 0 ? writers->bytes / 1e6 / writers->longest : 0,
           writers->writing > 0 ? writers->bytes / 1e6 / (writers->writing / writers->first_writers) : 0);
}

void report_table(const struct job *job, const struct result *results, long memory)
{
    struct summary clients = {0}, servers = {0};
    int size = job->num_clients + job->num_servers, steps = job->iodef->num_steps;
    for (int i = 0; i < size; i++) {
        add_result(results[i].is_server ? &servers : &clients, &results[i]);
        steps = results[i].steps < steps ? results[i].steps : steps;
    }
    printf("%s: %d clients, %d servers in %d processes; grid %d x %d x %d, %d of %d steps\n",
           job->options.layout, job->num_clients, job->num_servers, job->num_processes, job->grid.nx,
           job->grid.ny, job->grid.nz, steps, job->iodef->num_steps);
    printf("  time step            %8.2f ms   of which lost to output %.2f %% (worst client %.2f %%)\n",
           steps > 0 ? 1e3 * clients.seconds / clients.num / steps : 0, share(clients.lost, clients.seconds),
           100 * clients.worst_lost);
    print_servers(job, &clients, &servers);
    print_writing(job, job->num_servers ? &servers : &clients);
    printf("  memory of the job    %8ld MB\n", memory);
    printf("  run                  %8.2f s\n", clients.longest);
    print_reasons(job, results);
}
