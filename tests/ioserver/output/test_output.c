/* SPDX-License-Identifier: BSD-3-Clause */
/* test_output.c: random files, divided at random: read back by one process, and the same bytes as one process writes. */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(const struct oracle *oracle, const char *folder, MPI_Comm comm, int all)
{
    struct output *output;
    char message[OUTPUT_MESSAGE] = "";
    int failed;
    long long bytes = -1, sum = 0, want = 0;
    if (!EXPECT_EQ(output_open(&output, &oracle->iodef, 0, &oracle->grid, folder, comm, message), 0) ||
        !EXPECT_EQ(oracle_write(oracle, output, 0, oracle->num_records, all, &failed, message), 0)) {
        EXPECT_STR(message, "");
        return;
    }
    EXPECT_EQ(output_close(output, &bytes, message), 0);
    for (int o = 0; o < oracle->file.num_outputs; o++)
        want += 4LL * oracle->num_records * oracle_levels(oracle, o) * oracle->grid.ny * oracle->grid.nx;
    MPI_Allreduce(&bytes, &sum, 1, MPI_LONG_LONG, MPI_SUM, comm);
    EXPECT_EQ(sum, want);
}

static int files_equal(const char *a, const char *b)
{
    FILE *fa = fopen(a, "rb"), *fb = fopen(b, "rb");
    int ca = 0, cb = 0;
    while (fa && fb && ca != EOF && ca == cb) {
        ca = getc(fa);
        cb = getc(fb);
    }
    int equal = fa && fb && ca == cb;
    if (fa)
        fclose(fa);
    if (fb)
        fclose(fb);
    return equal;
}

/* The same contents in the classic format by netCDF's own tool, whose bytes are those that PnetCDF writes. */
static void check_copy(const char *netcdf4, const char *cdf5)
{
    char copy[3 * ORACLE_PATH], command[8 * ORACLE_PATH];
    snprintf(copy, sizeof copy, "%s.copy", netcdf4);
    snprintf(command, sizeof command, "nccopy -k cdf5 %s %s", netcdf4, copy);
    if (EXPECT_EQ(system(command), 0))
        EXPECT(files_equal(copy, cdf5));
    unlink(copy);
}

static void one_file(uint64_t random, enum format format, enum mixture mixture, const char *folder,
                     int can_copy)
{
    struct oracle oracle;
    char path[2 * ORACLE_PATH], first[2 * ORACLE_PATH + 8];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    oracle_init(&oracle, &random, format, mixture, 1);
    snprintf(path, sizeof path, "%s/file.nc", folder);
    snprintf(first, sizeof first, "%s.first", path);
    write_file(&oracle, folder, MPI_COMM_WORLD, 0);
    if (rank == 0) {
        oracle_check(&oracle, path, oracle.num_records, 0);
        EXPECT_EQ(rename(path, first), 0);
        oracle.file.format = CDF5;
        write_file(&oracle, folder, MPI_COMM_SELF, 1);
        if (format == CDF5)
            EXPECT(files_equal(first, path));
        else if (can_copy)
            check_copy(first, path);
    }
    oracle_free(&oracle);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void random_files(void)
{
    char folder[ORACLE_PATH];
    uint64_t random = harness_seed();
    int has_nccopy = system("command -v nccopy >/dev/null") == 0, n = 24 / harness_slowness();
    make_folder(folder);
    for (int i = 0; i < (n < 6 ? 6 : n); i++)
        one_file(random_next(&random), i % 2 ? CDF5 : NETCDF4, (enum mixture)(i / 2 % 3), folder, has_nccopy);
    remove_folder(folder);
}

static const harness_test tests[] = {{"random_files", NULL, random_files}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "output", tests);
}
