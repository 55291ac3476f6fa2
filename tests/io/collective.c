/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective.c: blocks of all sizes that interleave, with holes and without, so that each way to move them is
 * taken; blocks of an array; what an error of one endpoint is to the others.
 */
#include "place.h"
#include <stdlib.h>
#include <string.h>

enum { RDWR = MPI_MODE_RDWR | MPI_MODE_CREATE };

/* Byte i of the file, if somebody writes it. */
static char byte_at(size_t i)
{
    return (char)(1 + (i * 2654435761u >> 16) % 200);
}

/* Endpoint r has blocks r, r + slots, r + 2 * slots, ...: slots beyond the number of endpoints are holes. */
static void interleaved(team_t *t, int block, int n, int slots)
{
    char name[PLACE], *mine = xmalloc((size_t)block * (size_t)n), *got = xmalloc((size_t)block * (size_t)n);
    size_t stride = (size_t)block * (size_t)slots, all = stride * (size_t)n, wrong = 0;
    char *file = xmalloc(all);
    MPI_Datatype one, type;
    ep_status status;
    int count;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    MPI_Type_contiguous(block, MPI_CHAR, &one);
    MPI_Type_create_resized(one, 0, (MPI_Aint)stride, &type);
    MPI_Type_commit(&type);
    EXPECT_OK(ep_file_set_view(fh, (MPI_Offset)block * t->rank, MPI_CHAR, type, "native", MPI_INFO_NULL));
    for (int i = 0; i < block * n; i++)
        mine[i] = byte_at((size_t)(i / block) * stride + (size_t)(t->rank * block + i % block));
    EXPECT_OK(ep_file_write_all(fh, mine, block * n, MPI_CHAR, &status));
    EXPECT_OK(ep_get_count(&status, MPI_CHAR, &count));
    EXPECT_EQ(count, block * n);
    place_read(name, file, all, 0);
    for (size_t i = 0; i < all; i++)
        wrong += file[i] != (i % stride < (size_t)(block * t->size) ? byte_at(i) : 0);
    EXPECT_EQ(wrong, 0);
    /* one element is behind the end of the file */
    memset(got, 0, (size_t)(block * n));
    EXPECT_OK(ep_file_read_at_all(fh, block, got, block * n, MPI_CHAR, &status));
    EXPECT_OK(ep_get_count(&status, MPI_CHAR, &count));
    EXPECT_EQ(count, block * (n - 1));
    EXPECT(memcmp(got, mine + block, (size_t)(block * (n - 1))) == 0);
    for (int i = block * (n - 1); i < block * n; i++)
        wrong += got[i] != 0;
    EXPECT_EQ(wrong, 0);
    MPI_Type_free(&one);
    MPI_Type_free(&type);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
    free(mine);
    free(got);
    free(file);
}

static void blocks(team_t *t, void *arg)
{
    static const int block[] = {1, 8, 100, 1024, 5000, 40000, 300000};
    (void)arg;
    for (int i = 0; i < 7; i++) {
        int n = block[i] < 1000 ? 2000 : block[i] < 10000 ? 100 : 6;
        interleaved(t, block[i], n / (harness_slowness() > 4 ? 4 : 1), t->size);
        interleaved(t, block[i], n / (harness_slowness() > 4 ? 4 : 1), t->size + 1);
    }
}

/* Rows of an array of ints from each endpoint's columns, between halos in memory. */
static void array(team_t *t, void *arg)
{
    enum { ROWS = 60, COLUMNS = 21 };
    char name[PLACE];
    int sizes[] = {ROWS, COLUMNS * t->size}, part[] = {ROWS, COLUMNS}, start[] = {0, COLUMNS * t->rank};
    int inner[] = {ROWS + 2, COLUMNS + 4}, at[] = {1, 2}, x[ROWS + 2][COLUMNS + 4], wrong = 0;
    int *file = xmalloc(sizeof *file * (size_t)(ROWS * sizes[1]));
    MPI_Datatype of_file, of_memory;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &of_file);
    MPI_Type_create_subarray(2, inner, part, at, MPI_ORDER_C, MPI_INT, &of_memory);
    MPI_Type_commit(&of_file);
    MPI_Type_commit(&of_memory);
    EXPECT_OK(ep_file_set_view(fh, 4, MPI_INT, of_file, "native", MPI_INFO_NULL));
    for (int i = 0; i < ROWS + 2; i++)
        for (int k = 0; k < COLUMNS + 4; k++)
            x[i][k] = 1000 * i + t->rank * COLUMNS + k;
    EXPECT_OK(ep_file_write_at_all(fh, 0, x, 1, of_memory, EP_STATUS_IGNORE));
    place_read(name, file, sizeof *file * (size_t)(ROWS * sizes[1]), 4);
    for (int i = 0; i < ROWS * sizes[1]; i++)
        wrong += file[i] != 1000 * (i / sizes[1] + 1) + i % sizes[1] + 2;
    EXPECT_EQ(wrong, 0);
    memset(x, 0, sizeof x);
    EXPECT_OK(ep_file_read_at_all(fh, 0, x, 1, of_memory, EP_STATUS_IGNORE));
    for (int i = 0; i < ROWS + 2; i++)
        for (int k = 0; k < COLUMNS + 4; k++) {
            int inside = i > 0 && i <= ROWS && k > 1 && k < COLUMNS + 2;
            wrong += x[i][k] != (inside ? 1000 * i + t->rank * COLUMNS + k : 0);
        }
    EXPECT_EQ(wrong, 0);
    MPI_Type_free(&of_file);
    MPI_Type_free(&of_memory);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
    free(file);
}

/* What was there between the blocks stays, also where blocks of endpoints are the same ones. */
static void overlapping(team_t *t, void *arg)
{
    enum { N = 1000 };
    char name[PLACE], file[3 * 8 * N], mine[8 * N];
    MPI_Datatype one, type;
    int wrong = 0;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    memset(file, 'o', sizeof file);
    if (t->rank == 0)
        EXPECT_OK(ep_file_write_at(fh, 0, file, sizeof file, MPI_CHAR, EP_STATUS_IGNORE));
    MPI_Type_contiguous(8, MPI_CHAR, &one);
    MPI_Type_create_resized(one, 0, 24, &type);
    MPI_Type_commit(&type);
    /* the first two endpoints have the same blocks, others those behind; the third block is nobody's */
    EXPECT_OK(ep_file_set_view(fh, t->rank < 2 ? 0 : 8, MPI_CHAR, type, "native", MPI_INFO_NULL));
    memset(mine, 'n', sizeof mine);
    EXPECT_OK(ep_file_write_at_all(fh, 0, mine, sizeof mine, MPI_CHAR, EP_STATUS_IGNORE));
    place_read(name, file, sizeof file, 0);
    for (int i = 0; i < 24 * N; i++)
        wrong += file[i] != (i % 24 < 8 || (i % 24 < 16 && t->size > 2) ? 'n' : 'o');
    EXPECT_EQ(wrong, 0);
    MPI_Type_free(&one);
    MPI_Type_free(&type);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

/* Some have nothing. */
static void nothing(team_t *t, void *arg)
{
    char name[PLACE];
    int x = 5, n = t->rank % 2, got = 0;
    ep_status status;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_write_at_all(fh, 4 * t->rank, &x, n, MPI_INT, &status));
    EXPECT_OK(ep_get_count(&status, MPI_INT, &got));
    EXPECT_EQ(got, n);
    EXPECT_OK(ep_file_read_all(fh, NULL, 0, MPI_INT, &status));
    EXPECT_OK(ep_get_count(&status, MPI_INT, &got));
    EXPECT_EQ(got, 0);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

static void one_is_wrong(team_t *t, void *arg)
{
    char name[PLACE];
    int x = 5, last = t->rank == t->size - 1;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    refused(t, ep_file_write_at_all(fh, last ? -1 : 0, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG,
            "ep_file_write_at_all", last ? "offset" : "endpoint");
    refused(t, ep_file_read_all(fh, &x, last ? -1 : 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_COUNT,
            "ep_file_read_all", last ? "count" : "endpoint");
    EXPECT_OK(ep_file_write_all(fh, &x, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_close(&fh));
    fh = place_open(t, "/dev/full", MPI_MODE_WRONLY, NULL);
    refused(t, ep_file_write_at_all(fh, 0, &x, t->rank == 0, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_NO_SPACE,
            "ep_file_write_at_all", "/dev/full");
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

static const harness_test tests[] = {
    {"blocks", blocks, NULL},
    {"array", array, NULL},
    {"overlapping", overlapping, NULL},
    {"nothing", nothing, NULL},
    {"one_is_wrong", one_is_wrong, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "io collective", tests);
}
