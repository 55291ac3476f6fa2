/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_run: ranks inside one call. */
#include <pthread.h>
#include <stdlib.h>

#include "api/check.h"

struct run_job {
    pthread_t thread;
    ep_comm world;
    uint64_t serial; /* of world: fn may free it and make others */
    int (*fn)(ep_comm world, void *arg);
    void *arg;
    int result;
};

static void *run_in_task(void *arg)
{
    struct run_job *j = arg;
    thread_bind(j->world);
    j->result = j->fn(j->world, j->arg);
    thread_bind(NULL);
    return NULL;
}

static void finalize_at_exit(void)
{
    ep_finalize();
}

/* MPI at MULTIPLE unless somebody has started it. */
static int ensure_mpi(void)
{
    int on, provided;
    MPI_Initialized(&on);
    if (on)
        return MPI_SUCCESS;
    int rc = ep_init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    if (rc == MPI_SUCCESS)
        atexit(finalize_at_exit);
    return rc;
}

/* A thread that cannot be started leaves ranks that never answer: there is no way on. */
static void run_start(struct run_job *j)
{
    if (pthread_create(&j->thread, NULL, run_in_task, j) == 0)
        return;
    raise_error((struct where){j->world, "ep_run"}, MPI_ERR_NO_MEM,
                "the system gives no thread for this endpoint");
    ep_abort(j->world, MPI_ERR_NO_MEM);
}

static int run_all(int num_ep, struct run_job jobs[])
{
    int result = 0;
    for (int i = 0; i < num_ep; i++)
        run_start(&jobs[i]);
    for (int i = 0; i < num_ep; i++) {
        pthread_join(jobs[i].thread, NULL);
        if (result == 0)
            result = jobs[i].result;
    }
    for (int i = 0; i < num_ep; i++)
        if (view_is_whole(jobs[i].world) && jobs[i].world->serial == jobs[i].serial)
            ep_comm_free(&jobs[i].world);
    return result;
}

int ep_run(int num_ep, int (*fn)(ep_comm world, void *arg), void *arg)
{
    struct where w = {NULL, "ep_run"};
    size_t n = num_ep > 0 ? (size_t)num_ep : 0;
    int rc = check_pointer(w, (const void *)(uintptr_t)fn, "fn");
    if (rc || (rc = ensure_mpi()))
        return rc;
    struct run_job *jobs = calloc(n + 1, sizeof *jobs);
    ep_comm *worlds = calloc(n + 1, sizeof(ep_comm));
    if (!jobs || !worlds)
        rc = raise_error(w, MPI_ERR_NO_MEM, "no memory for %d endpoints", num_ep);
    else
        rc = ep_comm_create_endpoints(MPI_COMM_WORLD, num_ep, MPI_INFO_NULL, worlds);
    if (rc == MPI_SUCCESS) {
        for (size_t i = 0; i < n; i++)
            jobs[i] = (struct run_job){.world = worlds[i], .serial = worlds[i]->serial, .fn = fn, .arg = arg};
        rc = run_all(num_ep, jobs);
    }
    free(jobs);
    free(worlds);
    return rc;
}
