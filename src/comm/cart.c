/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/topology.h"

#include <mpi.h>
#include <stdlib.h>

int cart_size(int ndims, const int dims[], int limit)
{
    int64_t size = 1;
    for (int i = 0; i < ndims; i++)
        if ((size *= dims[i]) > limit)
            return -1;
    return (int)size;
}

/* Where a coordinate is in a dimension: wrapped if that is periodic, -1 beyond the ends. */
static int cart_wrap(const struct cart *g, int i, int64_t coord)
{
    int d = g->dims[i];
    if (coord >= 0 && coord < d)
        return (int)coord;
    return g->periods[i] ? (int)((coord % d + d) % d) : -1;
}

int cart_rank(const struct cart *g, const int coords[])
{
    int rank = 0;
    for (int i = 0; i < g->ndims; i++) {
        int at = cart_wrap(g, i, coords[i]);
        if (at < 0)
            return -1;
        rank = rank * g->dims[i] + at;
    }
    return rank;
}

void cart_coords(const struct cart *g, int rank, int coords[])
{
    for (int i = g->ndims - 1; i >= 0; i--) {
        coords[i] = rank % g->dims[i];
        rank /= g->dims[i];
    }
}

int cart_neighbour(const struct cart *g, int rank, int direction, int64_t disp)
{
    int stride = 1; /* between neighbours */
    for (int i = g->ndims - 1; i > direction; i--)
        stride *= g->dims[i];
    int from = rank / stride % g->dims[direction];
    int to = cart_wrap(g, direction, from + disp);
    return to < 0 ? MPI_PROC_NULL : rank + (to - from) * stride;
}

void cart_cut(const struct cart *g, const int remain[], int rank, int *piece, int *rank_in_piece)
{
    int stride = g->size;
    *piece = *rank_in_piece = 0;
    for (int i = 0; i < g->ndims; i++) {
        stride /= g->dims[i];
        int *into = remain[i] ? rank_in_piece : piece;
        *into = *into * g->dims[i] + rank / stride % g->dims[i];
    }
}

/* ---- Divisors ---- */

enum { MOST_DIVISORS = 1600 }; /* of a number below 2^31: those of 2095133040 */

/* In rising order. Returns how many there are. */
static int find_divisors(int n, int divisor[MOST_DIVISORS])
{
    int count = 0, root = 1;
    for (; root <= n / root; root++)
        if (n % root == 0)
            divisor[count++] = root;
    for (int i = count - 1; i >= 0; i--)
        if (divisor[i] != n / divisor[i])
            divisor[count++] = n / divisor[i];
    return count;
}

/* ---- Balanced dimensions ---- */

/* Write n as a product of k numbers in falling order, none above limit: the first in lexical order.
 * divisor: those of a multiple of n. A level at least halves n, so the recursion is not deep. */
static bool cart_factor(int n, int k, int limit, const int divisor[], int out[])
{
    if (n == 1 || k == 1) {
        for (int i = 0; i < k; i++)
            out[i] = i ? 1 : n;
        return n <= limit;
    }
    int d = 1;
    for (int i = 1; d < n && (d = divisor[i]) <= limit; i++)
        if (n % d == 0 && cart_factor(n / d, k - 1, d, divisor, out + 1)) {
            out[0] = d;
            return true;
        }
    return false;
}

enum { MOST_FACTORS = 31 }; /* above 1 in a number below 2^31: 30 */

bool cart_balance(int nnodes, int ndims, int dims[])
{
    int divisor[MOST_DIVISORS], out[MOST_FACTORS], empty = 0, rest = nnodes;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] && rest % dims[i])
            return false;
        rest /= dims[i] ? dims[i] : 1;
        empty += !dims[i];
    }
    if (!empty)
        return rest == 1;
    int used = empty < MOST_FACTORS ? empty : MOST_FACTORS, next = 0;
    find_divisors(rest, divisor);
    cart_factor(rest, used, rest, divisor, out);
    for (int i = 0; i < ndims; i++)
        if (!dims[i]) {
            dims[i] = next < used ? out[next] : 1;
            next++;
        }
    return true;
}

/* ---- Locality: one block of the grid per process ---- */

/* An edge is a step of +1 in one dimension, around the end where that is periodic. It is far if it joins
 * two processes. */

/* Far edges across the faces of blocks that are b wide in dimension i. */
static int64_t cut_by_blocks(const struct cart *g, int i, int b)
{
    int64_t blocks = g->dims[i] / b, cuts = blocks - 1 + (g->periods[i] && blocks > 1);
    return cuts * (g->size / g->dims[i]);
}

/* Ranks below `end` that have their rank modulo period below `part`. */
static int64_t count_below(int64_t end, int64_t period, int64_t part)
{
    int64_t over = end % period;
    return end / period * part + (over < part ? over : part);
}

/* How many of the ranks that have their rank modulo period below `part` share a process with rank +
 * distance, if new ranks are old ranks. */
static int64_t near_pairs(const struct rankmap *m, int64_t distance, int64_t period, int64_t part)
{
    int64_t near = 0;
    if (m->by_index != 1) /* cyclic */
        return distance % m->nproc ? 0 : count_below(m->size, period, part);
    if (distance < m->each)
        for (int64_t first = 0; first < m->size; first += m->each)
            near += count_below(first + m->each - distance, period, part) - count_below(first, period, part);
    return near;
}

/* Far edges of the grid if new ranks are old ranks. */
static int64_t cut_by_ranks(const struct cart *g, const struct rankmap *m)
{
    int64_t far = 0, stride = 1;
    for (int i = g->ndims - 1; i >= 0; i--) {
        int64_t d = g->dims[i], line = g->size / d;
        far += line * (d - 1) - near_pairs(m, stride, stride * d, stride * (d - 1));
        if (g->periods[i] && d > 1) /* from the last to the first, counted at the first */
            far += line - near_pairs(m, stride * (d - 1), stride * d, stride);
        stride *= d;
    }
    return far;
}

struct search {
    int n;
    int divisor[MOST_DIVISORS];   /* of a block's volume */
    int64_t least[MOST_DIVISORS]; /* far edges of the best block with this volume in the dimensions seen */
    int width[];                  /* of that block, per dimension seen and volume */
};

/* One more dimension. From large to small, so that what is read is still that of the dimensions before. */
static void search_dimension(struct search *s, const struct cart *g, int dimension)
{
    int *width = s->width + (size_t)dimension * (size_t)s->n;
    for (int k = s->n - 1; k >= 0; k--) {
        int64_t least = INT64_MAX;
        for (int j = k; j >= 0; j--) { /* j: volume in the dimensions before */
            int b = s->divisor[k] / s->divisor[j];
            if (s->divisor[k] % s->divisor[j] || g->dims[dimension] % b || s->least[j] == INT64_MAX)
                continue;
            int64_t far = s->least[j] + cut_by_blocks(g, dimension, b);
            if (far < least) {
                least = far;
                width[k] = b;
            }
        }
        s->least[k] = least;
    }
}

/* The block with `volume` ranks that tiles the grid with the fewest far edges. Where volume divides the
 * size of the grid there always is one. Returns the far edges, -1 without memory. */
static int64_t find_block(const struct cart *g, int volume, int block[])
{
    struct search *s = malloc(sizeof *s + sizeof(int) * MOST_DIVISORS * (size_t)g->ndims);
    if (!s)
        return -1;
    s->n = find_divisors(volume, s->divisor);
    for (int k = 0; k < s->n; k++)
        s->least[k] = k ? INT64_MAX : 0;
    for (int i = 0; i < g->ndims; i++)
        search_dimension(s, g, i);
    int64_t far = s->least[s->n - 1];
    for (int i = g->ndims - 1, k = s->n - 1; i >= 0; i--) {
        block[i] = s->width[(size_t)i * (size_t)s->n + (size_t)k];
        for (int rest = s->divisor[k] / block[i]; s->divisor[k] != rest; k--) {
        }
    }
    free(s);
    return far;
}

/* The rank at position `index` of block number `number`, both row-major. */
static int rank_in_block(const struct cart *g, const int block[], int number, int index)
{
    int rank = 0, stride = 1;
    for (int i = g->ndims - 1; i >= 0; i--) {
        int blocks = g->dims[i] / block[i];
        rank += (number % blocks * block[i] + index % block[i]) * stride;
        number /= blocks;
        index /= block[i];
        stride *= g->dims[i];
    }
    return rank;
}

int cart_place(const struct cart *g, const struct rankmap *m, int rank)
{
    if (g->size != m->size || m->each <= 1 || m->nproc == 1)
        return rank;
    int index, proc = rankmap_proc(m, rank, &index);
    int *block = malloc(sizeof *block * (size_t)g->ndims);
    int64_t far = block ? find_block(g, m->each, block) : -1;
    if (far < 0)
        rank = -1;
    else if (far < cut_by_ranks(g, m))
        rank = rank_in_block(g, block, proc, index);
    free(block);
    return rank;
}
