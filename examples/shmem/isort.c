/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isort.c: sort integers that lie in all PEs, in the way of NAS IS and ISx.
 *
 * The keys are those of NAS IS: a quarter of the sum of four numbers of its generator, the same keys for any number of PEs.
 * In each iteration
 *
 *   1. each PE counts its keys in BINS bins; the counts are summed (reduction), and each PE takes a row of bins such
 *      that all get about as many keys;
 *   2. each PE puts its keys in the order of bins, tells the others how many each will get (alltoall), reserves room at each
 *      (atomic fetch and add) and puts them there (put_nbi);
 *   3. after a barrier each PE counts what it has, key by key, and writes them in order.
 *
 * After the last one all is checked: each PE's keys are in order, the PEs' ranges follow one another, and no key is
 * lost or made up (number, sum, and sum of a hash).
 */
#include "level.h"

#include <limits.h>
#include <string.h>

enum { BINS = 1024, MAX_PES = 256, MAX_ITERATIONS = 1000 };

struct sort {
    int me, pes;
    long total, range, width;     /* keys of all; they are below range; width of a bin */
    long mine, room;              /* keys that this PE brings; most that it can get */
    int *keys, *ordered, *sorted; /* ordered: by bin, to be put */
    int *received;                /* symmetric */
    long *bins, *all_bins;        /* symmetric: counts */
    long *tail;                   /* symmetric: keys reserved in received */
    long *to_send, *to_come;      /* symmetric: for, from each PE */
    int first[MAX_PES + 1];       /* bins of PE i: first[i] to first[i + 1] - 1 */
    long *place;                  /* of each bin in ordered, then of each key */
};

static void fail(const struct sort *s, const char *what)
{
    fprintf(stderr, "PE %d: %s\n", s->me, what);
    shmem_global_exit(1);
}

/* ---- Keys: x(k + 1) = a x(k) mod 2^46 ---- */

static const uint64_t modulus_mask = ((uint64_t)1 << 46) - 1, multiplier = 1220703125, seed = 314159265;

static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base & modulus_mask)
        if (exponent & 1)
            result = result * base & modulus_mask;
    return result;
}

static void make_keys(struct sort *s, long from)
{
    uint64_t x = seed * power(multiplier, 4 * (uint64_t)from) & modulus_mask;
    for (long i = 0; i < s->mine; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            x = x * multiplier & modulus_mask;
            sum += (double)x;
        }
        s->keys[i] = (int)((double)s->range / 4 * (sum / (double)(modulus_mask + 1)));
    }
}

/* ---- An iteration ---- */

static void count_bins(struct sort *s)
{
    memset(s->bins, 0, BINS * sizeof *s->bins);
    for (long i = 0; i < s->mine; i++)
        s->bins[s->keys[i] / s->width]++;
    sum_longs(s->all_bins, s->bins, BINS);
}

/* PE i begins with the bin where i / pes of all keys are passed. */
static void share_bins(struct sort *s)
{
    long before = 0;
    int pe = 0;
    for (int bin = 0; bin < BINS; bin++) {
        while (pe < s->pes && before >= s->total * pe / s->pes)
            s->first[pe++] = bin;
        before += s->all_bins[bin];
    }
    while (pe <= s->pes)
        s->first[pe++] = BINS;
}

static void order_by_bin(struct sort *s)
{
    long at = 0;
    for (int pe = 0; pe < s->pes; pe++) {
        long begin = at;
        for (int bin = s->first[pe]; bin < s->first[pe + 1]; bin++) {
            s->place[bin] = at;
            at += s->bins[bin];
        }
        s->to_send[pe] = at - begin;
    }
    for (long i = 0; i < s->mine; i++)
        s->ordered[s->place[s->keys[i] / s->width]++] = s->keys[i];
}

static void send_keys(struct sort *s)
{
    exchange_longs(s->to_come, s->to_send, 1);
    long expected = 0;
    for (int pe = 0; pe < s->pes; pe++)
        expected += s->to_come[pe];
    if (expected > s->room)
        fail(s, "more keys than room");
    for (int turn = 1; turn <= s->pes; turn++) {
        int pe = (s->me + turn) % s->pes;
        long count = s->to_send[pe], from = 0;
        for (int before = 0; before < pe; before++)
            from += s->to_send[before];
        if (count == 0)
            continue;
        long at = shmem_long_atomic_fetch_add(s->tail, count, pe);
        shmem_putmem_nbi(&s->received[at], &s->ordered[from], (size_t)count * sizeof(int), pe);
    }
    shmem_barrier_all();
    if (*s->tail != expected)
        fail(s, "keys are missing");
}

/* Gives how many keys this PE has. */
static long sort_own(struct sort *s)
{
    long low = s->first[s->me] * s->width, high = s->first[s->me + 1] * s->width, count = *s->tail, at = 0;
    memset(s->place, 0, (size_t)(high - low) * sizeof *s->place);
    for (long i = 0; i < count; i++)
        s->place[s->received[i] - low]++;
    for (long key = low; key < high; key++)
        for (long k = s->place[key - low]; k > 0; k--)
            s->sorted[at++] = (int)key;
    *s->tail = 0;
    return count;
}

static long iterate(struct sort *s)
{
    count_bins(s);
    share_bins(s);
    order_by_bin(s);
    send_keys(s);
    long count = sort_own(s);
    shmem_barrier_all(); /* all have used what they received, and nothing is reserved */
    return count;
}

/* ---- Is it right? ---- */

static long hash(long key)
{
    uint64_t x = (uint64_t)key * 0x9e3779b97f4a7c15u;
    return (long)((x ^ x >> 29) & 0xffffffff);
}

struct sums {
    long keys, sum, hashes;
};

static struct sums sums_of(const int *keys, long n)
{
    struct sums found = {n, 0, 0};
    for (long i = 0; i < n; i++) {
        found.sum += keys[i];
        found.hashes += hash(keys[i]);
    }
    return found;
}

static struct sums of_all(struct sort *s, struct sums own)
{
    long *one = s->bins, *all = s->all_bins;
    shmem_barrier_all();
    memcpy(one, &own, sizeof own);
    sum_longs(all, one, sizeof own / sizeof(long));
    struct sums found;
    memcpy(&found, all, sizeof found);
    return found;
}

/* The ends of all PEs' keys: none begins below where the ones before it end. */
static void check_ends(struct sort *s, long count)
{
    long *own = s->bins, *all = s->all_bins, last = -1;
    shmem_barrier_all();
    own[0] = count;
    own[1] = count ? s->sorted[0] : 0;
    own[2] = count ? s->sorted[count - 1] : 0;
    collect_longs(all, own, 3);
    for (int pe = 0; pe < s->pes; pe++) {
        if (all[3 * pe] && all[3 * pe + 1] < last)
            fail(s, "PEs' keys are out of order");
        last = all[3 * pe] ? all[3 * pe + 2] : last;
    }
}

static void check(struct sort *s, long count)
{
    for (long i = 1; i < count; i++)
        if (s->sorted[i - 1] > s->sorted[i])
            fail(s, "keys are out of order");
    check_ends(s, count);
    struct sums before = of_all(s, sums_of(s->keys, s->mine)), after = of_all(s, sums_of(s->sorted, count));
    if (before.keys != s->total || memcmp(&before, &after, sizeof before) != 0)
        fail(s, "the sorted keys are not those that there were");
    if (s->me == 0)
        printf("RESULT %ld keys sorted, sum %ld, hash %ld\n", after.keys, after.sum, after.hashes);
}

/* ---- The program ---- */

static void *private(const struct sort *s, size_t bytes)
{
    void *at = malloc(bytes);
    if (!at)
        fail(s, "no memory");
    return at;
}

static void begin(struct sort *s, int log_keys)
{
    s->me = shmem_my_pe();
    s->pes = shmem_n_pes();
    if (s->pes > MAX_PES)
        fail(s, "too many PEs");
    s->total = 1L << log_keys;
    s->range = 1L << (log_keys > 19 ? log_keys - 4 : 15);
    s->width = s->range / BINS;
    long from = s->total * s->me / s->pes;
    s->mine = s->total * (s->me + 1) / s->pes - from;
    s->room = s->total / s->pes + s->total / BINS * 8 + 1; /* the fullest bin has three times the average */
    size_t each = sizeof(int);
    s->keys = private(s, (size_t)s->mine * each + 1);
    s->ordered = private(s, (size_t)s->mine * each + 1);
    s->sorted = private(s, (size_t)s->room * each);
    s->place = private(s, (size_t)s->range * sizeof *s->place);
    s->received = symmetric((size_t)s->room * each);
    s->bins = symmetric(BINS * sizeof(long));
    s->all_bins = symmetric((BINS > 3 * MAX_PES ? BINS : 3 * MAX_PES) * sizeof(long));
    s->to_send = symmetric(MAX_PES * sizeof(long));
    s->to_come = symmetric(MAX_PES * sizeof(long));
    s->tail = symmetric(sizeof(long));
    *s->tail = 0;
    make_keys(s, from);
}

int main(int argc, char **argv)
{
    int log_keys = argc > 1 ? atoi(argv[1]) : 22, iterations = argc > 2 ? atoi(argv[2]) : 10;
    static struct sort sort;
    static double times[MAX_ITERATIONS];
    if (log_keys < 10 || log_keys > 27 || iterations < 1 || iterations > MAX_ITERATIONS) {
        fprintf(stderr, "usage: isort [LOG2_OF_KEYS (10 to 27) [ITERATIONS]]\n");
        return 2;
    }
    shmem_init();
    begin_level();
    begin(&sort, log_keys);
    iterate(&sort);
    long count = 0;
    for (int i = 0; i < iterations; i++) {
        double start = seconds_now();
        count = iterate(&sort);
        times[i] = seconds_now() - start;
    }
    check(&sort, count);
    if (sort.me == 0) {
        print_time("isort", times, iterations);
        printf("isort: %d PEs, %ld keys, %.1f million keys/s\n# end\n", sort.pes, sort.total,
               (double)sort.total / times[iterations / 2] / 1e6);
        fflush(stdout);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
