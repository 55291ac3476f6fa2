/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil.c: whole steps of a small program (stencil.h), compiled once per peer (peer.h), in several forms.
 * The time of a step is that of the slowest rank for all steps. Each result is compared with that of one
 * thread, bit for bit.
 *
 *   alone     no messages: the work alone. Its result is not compared
 *   exchange  non-blocking sends and receives of the halo, wait for all, compute
 *   overlap   the same, but what needs no halo is computed before the waiting
 *   ordered, tasks, iwait   see stencil_tasks.c; with 4, 8, and 16 blocks per rank
 *
 *   small     16 us or so of work for a rank and step, 2 KiB of halo
 *   medium    twice as much, almost 4 KiB: still sent at once by MPI
 *   wide      as much, and a large halo of 32 KiB
 *   uneven    work that is different in each step and the same for all on average (stencil_slab.c)
 *
 * Lines: PLATE_FORM, with the number of blocks as size, us per step.
 */
#include "stencil.h"
#include "stencil_wire.h"

#include <omp.h>
#include <string.h>

enum { MAX_BATCHES = 64 };

/* They fit into a core's cache: else the order of tasks would count for more than what is measured here. */
static const struct plate plates[] = {
    {.name = "small", .rows = 128, .cols = 256, .steps = 200},
    {.name = "medium", .rows = 128, .cols = 480, .steps = 150},
    {.name = "wide", .rows = 16, .cols = 4096, .steps = 150},
    {.name = "uneven", .rows = 128, .cols = 480, .steps = 100, .uneven = true},
};
enum { PLATES = sizeof plates / sizeof plates[0] };

struct form {
    const char *name;
    form_fn *compute;
    bool blocks, compare;
};

/* What this process computes. */
struct job {
    const struct bench_options *opt;
    const struct plate *plate;
    struct slab reference; /* the whole plate, after all steps */
    struct rank ranks[PEER_MAX_THREADS];
};

/* ---- Forms ------------------------------------------------------------------------------------- */

/* Start to exchange halos; the number of requests. */
static int start_exchange(const struct rank *r, int step, peer_request requests[4])
{
    const struct slab *s = &r->slab;
    int n = 0, p = step % 2, bytes = s->of->cols * (int)sizeof(double), rows = s->of->rows;
    if (r->has_up) {
        peer_irecv(slab_row(s, p, 0), bytes, &r->up[p], &requests[n++]);
        peer_isend(slab_row(s, p, 1), bytes, &r->up[p], &requests[n++]);
    }
    if (r->has_down) {
        peer_irecv(slab_row(s, p, rows + 1), bytes, &r->down[p], &requests[n++]);
        peer_isend(slab_row(s, p, rows), bytes, &r->down[p], &requests[n++]);
    }
    return n;
}

void rank_exchange(const struct rank *r, int step)
{
    peer_request requests[4];
    int n = start_exchange(r, step, requests);
    peer_waitall(n, requests);
}

static void form_alone(struct rank *r)
{
    for (int step = 0; step < r->slab.of->steps; step++)
        slab_update(&r->slab, step, 1, r->slab.of->rows);
}

static void form_exchange(struct rank *r)
{
    for (int step = 0; step < r->slab.of->steps; step++) {
        rank_exchange(r, step);
        slab_update(&r->slab, step, 1, r->slab.of->rows);
    }
}

static void form_overlap(struct rank *r)
{
    int rows = r->slab.of->rows;
    for (int step = 0; step < r->slab.of->steps; step++) {
        peer_request requests[4];
        int n = start_exchange(r, step, requests);
        slab_update(&r->slab, step, 2, rows - 1);
        peer_waitall(n, requests);
        slab_update(&r->slab, step, 1, 1);
        slab_update(&r->slab, step, rows, rows);
    }
}

static const struct form forms[] = {
    {"alone", form_alone, false, false},    {"exchange", form_exchange, false, true},
    {"overlap", form_overlap, false, true},
#ifdef PEER_EP
    {"ordered", form_ordered, true, true},  {"tasks", form_tasks, true, true},
    {"iwait", form_iwait, true, true},
#endif
};
enum { FORMS = sizeof forms / sizeof forms[0] };

/* ---- Running ----------------------------------------------------------------------------------- */

static void make_rank(struct job *j, int thread)
{
    struct rank *r = &j->ranks[thread];
    int threads = j->opt->threads, me = peer_process * threads + thread;
    slab_make(&r->slab, j->plate, me * j->plate->rows + 1);
    r->has_up = me > 0;
    r->has_down = me + 1 < peer_processes * threads;
    for (int p = 0; p < 2; p++) {
        if (r->has_up)
            r->up[p] = peer_link(threads, thread, me - 1, p);
        if (r->has_down)
            r->down[p] = peer_link(threads, thread, me + 1, p);
    }
}

/* One thread computes the whole plate. */
static void make_reference(struct job *j, struct plate *whole)
{
    *whole = *j->plate;
    whole->rows *= peer_processes * j->opt->threads;
    slab_make(&j->reference, whole, 1);
    slab_start(&j->reference);
    for (int step = 0; step < whole->steps; step++)
        slab_update(&j->reference, step, 1, whole->rows);
}

static void compare(const struct job *j, const struct form *f)
{
    int s = j->plate->steps % 2;
    for (int t = 0; t < j->opt->threads; t++) {
        const struct slab *mine = &j->ranks[t].slab;
        size_t bytes = (size_t)j->plate->rows * (size_t)j->plate->cols * sizeof(double);
        if (memcmp(slab_row(mine, s, 1), slab_row(&j->reference, s, mine->first), bytes) != 0) {
            fprintf(stderr, "%s of %s: a wrong result\n", f->name, j->plate->name);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

/* Seconds that the slowest process takes for all steps. */
static double run(struct job *j, const struct form *f, int blocks)
{
    for (int t = 0; t < j->opt->threads; t++) {
        slab_start(&j->ranks[t].slab);
        j->ranks[t].blocks = blocks;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    wire_begin();
    double start = bench_now();
#pragma omp parallel
    f->compute(&j->ranks[omp_get_thread_num()]);
    double took = bench_now() - start, slowest;
    wire_end();
    MPI_Allreduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (f->compare)
        compare(j, f);
    return slowest;
}

/* All processes know the times, so all come to the same decisions. */
static void measure(struct job *j, const struct form *f, int blocks)
{
    int batches = j->opt->batches < MAX_BATCHES ? j->opt->batches : MAX_BATCHES, done = 0;
    double us[MAX_BATCHES], used = 0;
    char name[64];
    run(j, f, blocks);
    while (done < batches && (done == 0 || used < j->opt->seconds)) {
        double took = run(j, f, blocks);
        us[done++] = took * 1e6 / j->plate->steps;
        used += took;
    }
    snprintf(name, sizeof name, "%s_%s", j->plate->name, f->name);
    if (peer_process == 0)
        bench_print(name, blocks, us, done);
}

static void all_forms(struct job *j)
{
    for (int i = 0; i < FORMS; i++) {
        const struct form *f = &forms[i];
        int most = f->blocks ? 16 : 1;
        for (int blocks = f->blocks ? 4 : 1; blocks <= most && bench_wanted(j->opt->kernels, f->name);
             blocks *= 2)
            measure(j, f, blocks);
    }
}

static void all_plates(const struct bench_options *opt)
{
    for (int i = 0; i < PLATES; i++) {
        static struct job job;
        struct plate whole;
        job = (struct job){.opt = opt, .plate = &plates[i]};
        for (int t = 0; t < opt->threads; t++)
            make_rank(&job, t);
        make_reference(&job, &whole);
        all_forms(&job);
        slab_free(&job.reference);
        for (int t = 0; t < opt->threads; t++)
            slab_free(&job.ranks[t].slab);
    }
}

int main(int argc, char **argv)
{
    struct bench_options opt;
    bench_parse(&opt, argc, argv);
    peer_open(opt.threads, opt.multiple);
    bench_cpus();
    omp_set_dynamic(0);
    omp_set_num_threads(opt.threads);
#pragma omp parallel
    if (opt.pin)
        bench_pin(peer_process * opt.threads + omp_get_thread_num());
    wire_open();
    all_plates(&opt);
    wire_close();
    peer_close(opt.threads);
    return 0;
}
