/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "eprun/life.h"

struct main_job {
    int status;             /* of this process, which could not even start: the others are told */
    int process, processes; /* rank and size of the real MPI_COMM_WORLD */
    int n;                  /* endpoints here */
    struct eprun_rank *endpoints;
    ep_comm *worlds;
};

/* What makes no sense for the job as a whole. Everybody sees the same, rank 0 says it; what is too much, who
 * has it. */
static bool main_check(const struct options *o, struct main_job *j)
{
    const char *limit;
    long long most = life_most_endpoints(&limit);
    long long count[2], sum[2]; /* ranks, processes that cannot go on */
    if (!j->status)
        j->n = o->threads[j->process < o->nthreads ? j->process : o->nthreads - 1];
    count[0] = j->n;
    count[1] = j->status || j->n > most;
    MPI_Allreduce(count, sum, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    long long total = sum[0];
    if (j->n > most)
        message("%s %d: each rank is a thread, and the system has %lld at most (%s)", o->threads_by, j->n,
                most, limit);
    if (sum[1])
        return false;
    if (o->processes && o->processes != j->processes) {
        if (j->process == 0)
            message("-n %d: mpirun started %d processes", o->processes, j->processes);
        return false;
    }
    if (o->nthreads > j->processes) {
        if (j->process == 0)
            message("%s: %d numbers, but the job has %d process%s", o->threads_by, o->nthreads, j->processes,
                    j->processes == 1 ? "" : "es");
        return false;
    }
    if (total > 0)
        return true;
    if (j->process == 0)
        message("%s: no process has a rank", o->threads_by);
    return false;
}

static bool start_mpi(const struct options *o, struct main_job *j)
{
    int provided = MPI_THREAD_SINGLE;
    launch_prepare();
    server_await(true);
    int rc = ep_init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    server_await(false);
    if (rc != MPI_SUCCESS) {
        message("MPI could not be initialised");
        return false;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &j->process);
    MPI_Comm_size(MPI_COMM_WORLD, &j->processes);
    if (provided >= MPI_THREAD_MULTIPLE)
        return main_check(o, j);
    if (j->process == 0)
        message("this MPI library has thread level %d only; MPI_THREAD_MULTIPLE (%d) is needed", provided,
                MPI_THREAD_MULTIPLE);
    return false;
}

static bool make_endpoint(const struct options *o, const struct main_job *j, int index)
{
    struct eprun_rank *e = &j->endpoints[index];
    *e = (struct eprun_rank){.index = index, .process = j->process, .options = o};
    ep_comm_rank(j->worlds[index], &e->rank);
    ep_comm_size(j->worlds[index], &e->size);
    e->mpi = ep_rank_new(j->worlds[index]);
    return e->mpi && output_prepare(e);
}

static bool make_endpoints(const struct options *o, struct main_job *j)
{
    j->endpoints = calloc((size_t)j->n + 1, sizeof *j->endpoints);
    j->worlds = calloc((size_t)j->n + 1, sizeof(ep_comm));
    if (!j->endpoints || !j->worlds) {
        message("-t %d: no memory", j->n);
        return false;
    }
    j->endpoints[0].options = o; /* also where this process has none */
    if (ep_comm_create_endpoints(MPI_COMM_WORLD, j->n, MPI_INFO_NULL, j->worlds) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < j->n; i++)
        if (!make_endpoint(o, j, i)) {
            message("-t %d: no memory", j->n);
            return false;
        }
    return true;
}

static void say_places(const struct main_job *j)
{
    char host[256] = "", place[256];
    gethostname(host, sizeof host - 1);
    for (int i = 0; i < j->n; i++) {
        bind_describe(i, place, sizeof place);
        message("rank %d: process %d on %s, %s", j->endpoints[i].rank, j->process, host, place);
    }
}

static int main_run(const struct options *o, struct main_job *j)
{
    if (!bind_plan(o, j->n) || !make_endpoints(o, j) || !output_start(o, j->endpoints[0].size))
        MPI_Abort(MPI_COMM_WORLD, 1);
    launch_clean();
    if (o->verbose)
        say_places(j);
    prctl(PR_SET_NAME, basename(o->program[0])); /* for ps and top */
    crash_start(j->endpoints, j->n);
    ep_rank_job_ends_by(intercept_end_job);
    int status = life_run(j->endpoints, j->n);
    output_flush_all(j->endpoints, j->n);
    end_await_others();
    for (int i = 0; i < j->n; i++)
        ep_comm_free(&j->worlds[i]);
    return status;
}

/* A process that ends before MPI_Init is not missed by every mpirun (MPICH's goes on), and the others would
 * wait for it for ever: so it joins them to say that it cannot start. */
int main(int argc, char **argv)
{
    static struct options options;
    static struct main_job job;
    unsetenv("EPRUN_STARTS"); /* src/image/start.c: we are eprun */
    job.status = options_read(argc, argv, &options) ? launch_find_program(&options) : 2;
    if (job.status && launch_ends_with_status())
        return job.status;
    if (!job.status && launch_is_needed(&options))
        return launch(&options, argv);
    if (!job.status && command_is_one(&options))
        return command_run(&options, argv);
    watch_start();
    int status = start_mpi(&options, &job) ? main_run(&options, &job) : job.status ? job.status : 2;
    ep_finalize();
    return status;
}
