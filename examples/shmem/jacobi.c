/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jacobi.c: heat in a square, by Jacobi's method: in each step a point becomes the average of its four neighbours. The
 * upper edge is hot, the others are cold.
 *
 * The PEs are the cells of a grid, and each has a block of points with a border of one point. In a step a PE computes what
 * its neighbours need first, puts it into their memory with a signal (shmem_double_put_signal_nbi), computes the rest, and
 * waits for the signals of its neighbours. Rows go straight into the neighbour's border; columns by a buffer, since they
 * are not contiguous.
 *
 * A step reads one of two blocks and writes the other. A neighbour can be one step ahead, not two, since it needs this PE's
 * signal: what it puts then belongs to the block that this PE reads in its next step, and not in this one.
 *
 * At the end PE 0 does all steps alone and compares every bit.
 */
#include "level.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_BATCHES = 100, NORTH = 0, SOUTH, WEST, EAST, SIDES };

struct block {
    int rows, cols, stride;
    double *at[2]; /* symmetric; with the border */
};

struct solver {
    int me, pes, size;    /* size x size points */
    int down, across;     /* PEs */
    int neighbour[SIDES]; /* -1: none */
    struct block block;
    double *edge[2][SIDES]; /* what came for a column; symmetric. By the block it belongs to */
    double *out[2][SIDES];  /* a column to be sent */
    uint64_t *signal;       /* of each side: the last step whose border has come; symmetric */
    double *residual;       /* symmetric: own, of all */
    long step;
};

static double *point(const struct block *b, int which, int row, int col)
{
    return b->at[which] + (size_t)row * (size_t)b->stride + col;
}

/* Rows [row, row_end) and columns of the inside, from block `which` into the other; gives the largest change. */
static double sweep(const struct block *b, int which, int row, int row_end, int col, int col_end)
{
    double most = 0;
    for (int i = row; i < row_end; i++) {
        const double *old = point(b, which, i, 0), *above = point(b, which, i - 1, 0),
                     *below = point(b, which, i + 1, 0);
        double *new = point(b, !which, i, 0);
        for (int k = col; k < col_end; k++) {
            new[k] = 0.25 * ((above[k] + below[k]) + (old[k - 1] + old[k + 1]));
            double change = new[k] > old[k] ? new[k] - old[k] : old[k] - new[k];
            most = change > most ? change : most;
        }
    }
    return most;
}

/* ---- Borders ---- */

static void pack_column(const struct block *b, int which, int col, double *to)
{
    for (int i = 1; i <= b->rows; i++)
        to[i - 1] = *point(b, which, i, col);
}

static void unpack_column(const struct block *b, int which, int col, const double *from)
{
    for (int i = 1; i <= b->rows; i++)
        *point(b, which, i, col) = from[i - 1];
}

/* To the neighbour at that side, whose border at its opposite side it is: side ^ 1. */
static void send(struct solver *s, int which, int side)
{
    const struct block *b = &s->block;
    int pe = s->neighbour[side], there = side ^ 1;
    if (pe < 0)
        return;
    if (side == NORTH || side == SOUTH) {
        int from = side == NORTH ? 1 : b->rows, to = side == NORTH ? b->rows + 1 : 0;
        put_doubles_signal(point(b, which, to, 1), point(b, which, from, 1), (size_t)b->cols,
                           &s->signal[there], (uint64_t)s->step, pe);
    } else {
        pack_column(b, which, side == WEST ? 1 : b->cols, s->out[which][side]);
        put_doubles_signal(s->edge[which][there], s->out[which][side], (size_t)b->rows, &s->signal[there],
                           (uint64_t)s->step, pe);
    }
}

static void receive(struct solver *s, int which, int side)
{
    if (s->neighbour[side] < 0)
        return;
    wait_signal(&s->signal[side], (uint64_t)s->step);
    if (side == WEST || side == EAST)
        unpack_column(&s->block, which, side == WEST ? 0 : s->block.cols + 1, s->edge[which][side]);
}

/* ---- Steps ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest change in this PE's block. */
static double step(struct solver *s)
{
    const struct block *b = &s->block;
    int from = (int)(s->step % 2), into = !from, rows = b->rows, cols = b->cols;
    shmem_quiet(); /* what was put from the block that is written now */
    s->step++;
    double change = sweep(b, from, 1, 2, 1, cols + 1);
    change = larger(change, sweep(b, from, rows, rows + 1, 1, cols + 1));
    change = larger(change, sweep(b, from, 2, rows, 1, 2));
    change = larger(change, sweep(b, from, 2, rows, cols, cols + 1));
    for (int side = 0; side < SIDES; side++)
        send(s, into, side);
    change = larger(change, sweep(b, from, 2, rows, 2, cols));
    for (int side = 0; side < SIDES; side++)
        receive(s, into, side);
    return change;
}

static double steps(struct solver *s, int count)
{
    double change = 0;
    for (int i = 0; i < count; i++)
        change = step(s);
    s->residual[0] = change;
    max_doubles(&s->residual[1], &s->residual[0], 1);
    return s->residual[1];
}

/* ---- Is it right? ---- */

static void heat(const struct block *b, bool upper)
{
    size_t bytes = (size_t)(b->rows + 2) * (size_t)b->stride * sizeof(double);
    for (int which = 0; which < 2; which++) {
        memset(b->at[which], 0, bytes);
        for (int col = 0; upper && col < b->cols + 2; col++)
            *point(b, which, 0, col) = 1;
    }
}

static void *memory(size_t bytes)
{
    void *at = malloc(bytes);
    if (!at) {
        fprintf(stderr, "PE %d: no memory\n", shmem_my_pe());
        shmem_global_exit(1);
    }
    return at;
}

static bool same_rows(const struct solver *s, const struct block *whole, int which, int pe, double *theirs)
{
    const struct block *b = &s->block;
    int row = pe / s->across * b->rows, col = pe % s->across * b->cols;
    for (int i = 1; i <= b->rows; i++) {
        shmem_getmem(theirs, point(b, which, i, 1), (size_t)b->cols * sizeof *theirs, pe);
        if (memcmp(theirs, point(whole, which, row + i, col + 1), (size_t)b->cols * sizeof *theirs) != 0)
            return false;
    }
    return true;
}

/* PE 0 alone. */
static void check(const struct solver *s, double residual)
{
    struct block whole = {s->size, s->size, s->size + 2, {NULL, NULL}};
    size_t bytes = (size_t)whole.stride * (size_t)whole.stride * sizeof(double);
    whole.at[0] = memory(bytes);
    whole.at[1] = memory(bytes);
    double change = 0, *theirs = memory((size_t)s->block.cols * sizeof *theirs);
    heat(&whole, true);
    for (long i = 0; i < s->step; i++)
        change = sweep(&whole, (int)(i % 2), 1, s->size + 1, 1, s->size + 1);
    bool same = memcmp(&change, &residual, sizeof change) == 0;
    for (int pe = 0; pe < s->pes && same; pe++)
        same = same_rows(s, &whole, (int)(s->step % 2), pe, theirs);
    if (!same) {
        fprintf(stderr, "the PEs' result is not that of one alone\n");
        shmem_global_exit(1);
    }
    printf("RESULT %d x %d points, %ld steps, last change %.17g\n", s->size, s->size, s->step, residual);
    free(theirs);
    free(whole.at[0]);
    free(whole.at[1]);
}

/* ---- The program ---- */

static void find_neighbours(struct solver *s)
{
    int row = s->me / s->across, col = s->me % s->across;
    s->neighbour[NORTH] = row > 0 ? s->me - s->across : -1;
    s->neighbour[SOUTH] = row < s->down - 1 ? s->me + s->across : -1;
    s->neighbour[WEST] = col > 0 ? s->me - 1 : -1;
    s->neighbour[EAST] = col < s->across - 1 ? s->me + 1 : -1;
}

/* False: the points cannot be shared out like that. */
static bool begin(struct solver *s, int size)
{
    s->me = shmem_my_pe();
    s->pes = shmem_n_pes();
    s->size = size;
    for (s->down = 1; s->down * s->down * 2 <= s->pes && s->pes % (s->down * 2) == 0;)
        s->down *= 2;
    s->across = s->pes / s->down;
    struct block *b = &s->block;
    *b = (struct block){size / s->down, size / s->across, size / s->across + 2, {NULL, NULL}};
    if (size % s->down || size % s->across || b->rows < 2 || b->cols < 2)
        return false;
    find_neighbours(s);
    for (int which = 0; which < 2; which++) {
        b->at[which] = symmetric((size_t)(b->rows + 2) * (size_t)b->stride * sizeof(double));
        for (int side = WEST; side < SIDES; side++) {
            s->edge[which][side] = symmetric((size_t)b->rows * sizeof(double));
            s->out[which][side] = memory((size_t)b->rows * sizeof(double));
        }
    }
    heat(b, s->neighbour[NORTH] < 0);
    s->signal = symmetric(SIDES * sizeof *s->signal);
    memset(s->signal, 0, SIDES * sizeof *s->signal);
    s->residual = symmetric(2 * sizeof *s->residual);
    shmem_barrier_all();
    return true;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 512, per_batch = argc > 2 ? atoi(argv[2]) : 100, batches = 10;
    static struct solver solver;
    static double times[MAX_BATCHES];
    shmem_init();
    begin_level();
    if (size < 1 || size > 1 << 14 || per_batch < 1 || !begin(&solver, size)) {
        if (shmem_my_pe() == 0)
            fprintf(stderr,
                    "usage: jacobi [POINTS_OF_A_SIDE [STEPS]]: the PEs' grid must divide the points, two "
                    "at least for each\n");
        shmem_barrier_all();
        shmem_global_exit(2);
    }
    double residual = steps(&solver, per_batch);
    for (int i = 0; i < batches; i++) {
        shmem_barrier_all();
        double start = seconds_now();
        residual = steps(&solver, per_batch);
        times[i] = (seconds_now() - start) / per_batch;
    }
    shmem_quiet();
    shmem_barrier_all();
    if (solver.me == 0) {
        check(&solver, residual);
        print_time("jacobi", times, batches);
        printf("jacobi: %d PEs, %d x %d, %.1f us per step\n# end\n", solver.pes, solver.down, solver.across,
               1e6 * times[batches / 2]);
        fflush(stdout);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
