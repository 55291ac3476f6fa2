/* SPDX-License-Identifier: BSD-3-Clause */
/* large.c: offsets, sizes and amounts beyond 2^31 and 2^32. The file is mostly a hole, and memory lies in
 * itself. */
#include "place.h"
#include <stdlib.h>
#include <string.h>

#define GIB (1LL << 30)

static void offsets(team_t *t, void *arg)
{
    char name[PLACE];
    MPI_Datatype far;
    MPI_Offset at, size;
    long long n = 7000 + t->rank, got = 0;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, MPI_MODE_RDWR | MPI_MODE_CREATE, NULL);
    EXPECT_OK(ep_file_write_at(fh, 5 * GIB + 8 * t->rank, &n, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_file_get_size(fh, &size));
    EXPECT_EQ(size, 5 * GIB + 8 * t->size);
    MPI_Type_create_resized(MPI_LONG_LONG, 0, 3 * GIB, &far);
    MPI_Type_commit(&far);
    EXPECT_OK(ep_file_set_view(fh, 8 * t->rank, MPI_LONG_LONG, far, "native", MPI_INFO_NULL));
    EXPECT_OK(ep_file_get_byte_offset(fh, 3, &at));
    EXPECT_EQ(at, 9 * GIB + 8 * t->rank);
    EXPECT_OK(ep_file_write_at(fh, 3, &n, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_seek(fh, 0, MPI_SEEK_END));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_file_get_position(fh, &at));
    EXPECT_EQ(at, 4);
    EXPECT_OK(ep_file_set_view(fh, 5 * GIB, MPI_LONG_LONG, MPI_LONG_LONG, "native", MPI_INFO_NULL));
    for (int r = 0; r < t->size; r++) {
        EXPECT_OK(ep_file_read_at(fh, r, &got, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
        EXPECT_EQ(got, 7000 + r);
        EXPECT_OK(ep_file_read_at(fh, GIB / 2 + r, &got, 1, MPI_LONG_LONG, EP_STATUS_IGNORE));
        EXPECT_EQ(got, 7000 + r);
    }
    MPI_Type_free(&far);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

/* More bytes in one call than an int can count; of the first endpoint, others have less. */
static void amounts(team_t *t, void *arg)
{
    enum { MIB = 1 << 20 };
    char name[PLACE], *memory = calloc(1, MIB);
    MPI_Datatype block, type;
    ep_status status;
    MPI_Count n;
    int whole, count = t->rank == 0 ? 4200 : 7;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, MPI_MODE_RDWR | MPI_MODE_CREATE, NULL);
    EXPECT_OK(ep_file_set_size(fh, 4197LL * MIB + 100));
    MPI_Type_contiguous(MIB, MPI_CHAR, &block);
    MPI_Type_create_resized(block, 0, 0, &type);
    MPI_Type_commit(&type);
    EXPECT_OK(ep_file_write_at(fh, 4197LL * MIB + t->rank, "x", 1, MPI_CHAR, EP_STATUS_IGNORE));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_file_read_at(fh, 0, memory, count, type, &status));
    EXPECT_OK(ep_get_elements_x(&status, MPI_CHAR, &n));
    EXPECT_EQ(n, t->rank == 0 ? 4197LL * MIB + 100 : 7LL * MIB);
    EXPECT_OK(ep_get_count(&status, MPI_CHAR, &whole));
    EXPECT_EQ(whole, t->rank == 0 ? MPI_UNDEFINED : 7 * MIB);
    EXPECT_EQ(memory[0], t->rank == 0 ? 'x' : 0);
    MPI_Type_free(&block);
    MPI_Type_free(&type);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
    free(memory);
}

static const harness_test tests[] = {{"offsets", offsets, NULL}, {"amounts", amounts, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "io large", tests);
}
