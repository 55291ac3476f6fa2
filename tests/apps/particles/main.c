/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * particles: a periodic square in vertical slices, one per process; particles fly straight on and change owner.
 * Nobody knows how many will come, or from whom: a step in two tells the number of messages first, the others
 * find out that nothing more comes by a nonblocking barrier.
 * Positions are integers that wrap around, so that each particle's path is known exactly.
 *     particles [-q] [-n particles per process] [-s steps]
 */
#include <getopt.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t id;
    uint32_t x, y; /* the square's side is 2^32 */
    int32_t vx, vy;
    double charge;
    short bounces; /* from process to process */
} particle;

typedef struct {
    particle *p;
    int count, room;
} bag;

static MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Datatype particle_type = MPI_DATATYPE_NULL;
static int rank, size;
static int per_process = 20000, steps = 40;
static bag mine;
static bag *leaving; /* one for each process */

static void parse(int argc, char **argv)
{
    int c;
    while ((c = getopt(argc, argv, "qn:s:")) != -1)
        switch (c) {
        case 'q':
            per_process = 500;
            steps = 10;
            break;
        case 'n':
            per_process = atoi(optarg);
            break;
        case 's':
            steps = atoi(optarg);
            break;
        default:
            fprintf(stderr, "usage: particles [-q] [-n particles] [-s steps]\n");
            MPI_Abort(comm, 2);
        }
}

static void create_type(void)
{
    int lengths[5] = {1, 2, 2, 1, 1};
    MPI_Aint at[5] = {offsetof(particle, id), offsetof(particle, x), offsetof(particle, vx),
                      offsetof(particle, charge), offsetof(particle, bounces)};
    MPI_Datatype types[5] = {MPI_INT64_T, MPI_UINT32_T, MPI_INT32_T, MPI_DOUBLE, MPI_SHORT}, packed;
    MPI_Type_create_struct(5, lengths, at, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(particle), &particle_type);
    MPI_Type_commit(&particle_type);
    MPI_Type_free(&packed);
}

/* Room for n more. */
static particle *grow(bag *b, int n)
{
    if (b->count + n > b->room) {
        b->room = 2 * (b->count + n);
        b->p = realloc(b->p, (size_t)b->room * sizeof *b->p);
        if (b->p == NULL) {
            fprintf(stderr, "particles: no memory for %d particles\n", b->room);
            MPI_Abort(comm, 2);
        }
    }
    return b->p + b->count;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The particle as it starts: all follows from its number. */
static particle born(int64_t id)
{
    uint64_t a = mix((uint64_t)id + 1), b = mix(a);
    particle p = {.id = id, .x = (uint32_t)a, .y = (uint32_t)(a >> 32)};
    p.vx = (int32_t)(uint32_t)b / 16;
    p.vy = (int32_t)(uint32_t)(b >> 32) / 64;
    p.charge = id % 2 ? 1.0 : -1.0;
    return p;
}

static int owner(const particle *p)
{
    return (int)(((uint64_t)p->x * (uint64_t)size) >> 32);
}

static void move(void)
{
    int kept = 0;
    for (int i = 0; i < mine.count; i++) {
        particle *p = &mine.p[i];
        int to;
        p->x += (uint32_t)p->vx;
        p->y += (uint32_t)p->vy;
        to = owner(p);
        if (to == rank) {
            mine.p[kept++] = *p;
        } else {
            p->bounces++;
            *grow(&leaving[to], 1) = *p;
            leaving[to].count++;
        }
    }
    mine.count = kept;
}

/* All is told how many messages come; MPI_Probe says from whom and how long. */
static void migrate_counted(int tag)
{
    int *to = calloc((size_t)size, sizeof *to), messages, sent = 0;
    MPI_Request *requests = malloc((size_t)size * sizeof *requests);
    for (int r = 0; r < size; r++)
        if (leaving[r].count > 0) {
            to[r] = 1;
            MPI_Isend(leaving[r].p, leaving[r].count, particle_type, r, tag, comm, &requests[sent++]);
        }
    MPI_Reduce_scatter_block(to, &messages, 1, MPI_INT, MPI_SUM, comm);
    while (messages-- > 0) {
        MPI_Status status;
        int n;
        MPI_Probe(MPI_ANY_SOURCE, tag, comm, &status);
        MPI_Get_count(&status, particle_type, &n);
        MPI_Recv(grow(&mine, n), n, particle_type, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
        mine.count += n;
    }
    MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
    free(requests);
    free(to);
}

/* A process enters the barrier when its messages have been received: the barrier is over when all have been. */
static void migrate_uncounted(int tag)
{
    MPI_Request *requests = malloc((size_t)size * sizeof *requests), barrier = MPI_REQUEST_NULL;
    int sent = 0, over = 0, in_barrier = 0;
    for (int r = 0; r < size; r++)
        if (leaving[r].count > 0)
            MPI_Issend(leaving[r].p, leaving[r].count, particle_type, r, tag, comm, &requests[sent++]);
    while (!over) {
        MPI_Message message;
        MPI_Status status;
        int found, n;
        MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &found, &message, &status);
        if (found) {
            MPI_Get_count(&status, particle_type, &n);
            MPI_Mrecv(grow(&mine, n), n, particle_type, &message, &status);
            mine.count += n;
        }
        if (in_barrier) {
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(sent, requests, &in_barrier, MPI_STATUSES_IGNORE);
            if (in_barrier)
                MPI_Ibarrier(comm, &barrier);
        }
    }
    free(requests);
}

/* Each particle is where its number says, with the same charge; returns how many are not. */
static int64_t astray(void)
{
    int64_t wrong = 0;
    for (int i = 0; i < mine.count; i++) {
        particle *p = &mine.p[i], was = born(p->id);
        uint32_t x = was.x + (uint32_t)was.vx * (uint32_t)steps,
                 y = was.y + (uint32_t)was.vy * (uint32_t)steps;
        wrong += p->x != x || p->y != y || owner(p) != rank || p->vx != was.vx || p->vy != was.vy ||
                 p->charge != was.charge;
    }
    return wrong;
}

enum { COUNT, NUMBERS, MOMENTUM, CHARGE, ASTRAY, MOVES, HASH, TOTALS };

static void totals(int64_t all[TOTALS])
{
    int64_t t[TOTALS] = {[COUNT] = mine.count, [ASTRAY] = astray()};
    for (int i = 0; i < mine.count; i++) {
        particle *p = &mine.p[i];
        t[NUMBERS] += p->id;
        t[MOMENTUM] += p->vx;
        t[CHARGE] += (int64_t)p->charge;
        t[MOVES] += p->bounces;
        t[HASH] ^= (int64_t)(mix((uint64_t)p->id ^ ((uint64_t)p->x << 32 | p->y)) >> 16);
    }
    MPI_Allreduce(t, all, HASH, MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(&t[HASH], &all[HASH], 1, MPI_INT64_T, MPI_BXOR, comm);
}

/* Particles are born anywhere: the first migration brings them home. */
static void populate(void)
{
    for (int64_t i = 0; i < per_process; i++) {
        particle p = born((int64_t)rank * per_process + i);
        p.x -= (uint32_t)p.vx;
        p.y -= (uint32_t)p.vy;
        *grow(&mine, 1) = p;
        mine.count++;
    }
}

static void fly(void)
{
    for (int s = 0; s <= steps; s++) {
        move();
        if (s % 2)
            migrate_uncounted(s);
        else
            migrate_counted(s);
        for (int r = 0; r < size; r++)
            leaving[r].count = 0;
    }
}

int main(int argc, char **argv)
{
    int64_t before[TOTALS], after[TOTALS];
    double time;
    int good;
    MPI_Init(&argc, &argv);
    parse(argc, argv);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    create_type();
    leaving = calloc((size_t)size, sizeof *leaving);
    populate();
    totals(before);
    time = MPI_Wtime();
    fly();
    time = MPI_Wtime() - time;
    totals(after);
    good = after[ASTRAY] == 0 && after[COUNT] == (int64_t)size * per_process;
    for (int i = COUNT; i <= CHARGE; i++)
        good = good && before[i] == after[i];
    if (rank == 0) {
        printf("RESULT particles %lld moves %lld checksum %012llx %s\n", (long long)after[COUNT],
               (long long)after[MOVES], (unsigned long long)after[HASH], good ? "PASSED" : "FAILED");
        printf("TIME particles %.4f\n", time);
    }
    for (int r = 0; r < size; r++)
        free(leaving[r].p);
    free(leaving);
    free(mine.p);
    MPI_Type_free(&particle_type);
    MPI_Finalize();
    return good ? 0 : 1;
}
