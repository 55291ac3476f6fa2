/* SPDX-License-Identifier: BSD-3-Clause */
/* test_output_failures.c: what cannot be written is said, by all alike; what was written before can be read. */
#include "disk.h"
#include "oracle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank(void)
{
    int r;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    return r;
}

/* All processes have the same message, which names the file and says this. */
static void check_message(const char message[OUTPUT_MESSAGE], const char *what, const char *why)
{
    char first[OUTPUT_MESSAGE];
    memcpy(first, message, sizeof first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_STR(message, first);
    EXPECT_CONTAINS(message, "file.nc: ");
    EXPECT_CONTAINS(message, what);
    EXPECT_CONTAINS(message, why);
}

/* A file with all kinds of variables and some records, the same each time. */
static void init(struct oracle *oracle, enum format format)
{
    uint64_t random = 5;
    oracle_init(oracle, &random, format, BOTH, 100);
    for (int o = 0; o < oracle->file.num_outputs; o++)
        oracle->outputs[o].field = o % 2;
    oracle->num_records = 6;
}

static void check_no_open(const char *folder, enum format format, const char *why)
{
    struct oracle oracle;
    struct output *output = (struct output *)&oracle;
    char message[OUTPUT_MESSAGE] = "";
    init(&oracle, format);
    EXPECT_EQ(output_open(&output, &oracle.iodef, 0, &oracle.grid, folder, MPI_COMM_WORLD, message), -1);
    EXPECT(output == NULL);
    EXPECT_EQ(output_close(output, NULL, message), 0);
    check_message(message, "", why);
    oracle_free(&oracle);
}

/* The file becomes what it should, whatever was before. */
static void check_all_well(const char *folder, enum format format)
{
    struct oracle oracle;
    struct output *output;
    char message[OUTPUT_MESSAGE] = "", path[2 * ORACLE_PATH];
    int failed;
    init(&oracle, format);
    snprintf(path, sizeof path, "%s/file.nc", folder);
    EXPECT_EQ(output_open(&output, &oracle.iodef, 0, &oracle.grid, folder, MPI_COMM_WORLD, message), 0);
    EXPECT_EQ(oracle_write(&oracle, output, 0, oracle.num_records, 0, &failed, message), 0);
    EXPECT_EQ(output_close(output, NULL, message), 0);
    EXPECT_STR(message, "");
    if (rank() == 0)
        oracle_check(&oracle, path, oracle.num_records, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    oracle_free(&oracle);
}

static void open_nowhere(void)
{
    char folder[ORACLE_PATH], path[2 * ORACLE_PATH];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/none", folder);
    for (int f = NETCDF4; f <= CDF5; f++) {
        check_no_open(path, f, "No such file or directory");
        check_no_open("/dev/null", f, "Not a directory");
        check_all_well(folder, f);
    }
    snprintf(path, sizeof path, "%s/file.nc", folder);
    if (rank() == 0) {
        EXPECT_EQ(unlink(path), 0);
        EXPECT_EQ(mkdir(path, 0777), 0);
    }
    check_no_open(folder, NETCDF4, "Is a directory");
    check_no_open(folder, CDF5, "Is a directory");
    remove_folder(folder);
}

/* A file that was there and was longer leaves nothing. */
static void stale_file(void)
{
    char folder[ORACLE_PATH], path[2 * ORACLE_PATH];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/file.nc", folder);
    for (int f = NETCDF4; f <= CDF5; f++) {
        FILE *file = rank() == 0 ? fopen(path, "w") : NULL;
        for (int i = 0; file && i < 50000000; i++)
            putc('x', file);
        if (file)
            fclose(file);
        check_all_well(folder, f);
        struct stat st;
        EXPECT(stat(path, &st) == 0 && st.st_size < 40000000);
    }
    remove_folder(folder);
}

/* Records in any other order, and after a failure. */
static void wrong_order(void)
{
    char folder[ORACLE_PATH], message[OUTPUT_MESSAGE], path[2 * ORACLE_PATH];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/file.nc", folder);
    for (int f = NETCDF4; f <= CDF5; f++) {
        struct oracle oracle;
        struct output *output;
        int failed;
        init(&oracle, f);
        EXPECT_EQ(output_open(&output, &oracle.iodef, 0, &oracle.grid, folder, MPI_COMM_WORLD, message), 0);
        EXPECT_EQ(oracle_write(&oracle, output, 0, 2, 0, &failed, message), 0);
        EXPECT_EQ(oracle_write(&oracle, output, 3, 4, 0, &failed, message), -1);
        check_message(message, "record 3", "not in order");
        EXPECT_EQ(oracle_write(&oracle, output, 2, 3, 0, &failed, message), -1);
        check_message(message, "record 2", "an earlier record");
        EXPECT_EQ(output_close(output, NULL, message), 0);
        if (rank() == 0)
            oracle_check(&oracle, path, 2, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        oracle_free(&oracle);
    }
    remove_folder(folder);
}

/* The file is gone, or not, when the third record comes. */
static void file_vanishes(void)
{
    char folder[ORACLE_PATH], message[OUTPUT_MESSAGE], path[2 * ORACLE_PATH];
    make_folder(folder);
    snprintf(path, sizeof path, "%s/file.nc", folder);
    for (int f = NETCDF4; f <= CDF5; f++) {
        struct oracle oracle;
        struct output *output;
        int failed;
        init(&oracle, f);
        EXPECT_EQ(output_open(&output, &oracle.iodef, 0, &oracle.grid, folder, MPI_COMM_WORLD, message), 0);
        EXPECT_EQ(oracle_write(&oracle, output, 0, 2, 0, &failed, message), 0);
        if (rank() == 0)
            EXPECT_EQ(unlink(path), 0);
        EXPECT_EQ(oracle_write(&oracle, output, 2, 3, 0, &failed, message), -1);
        check_message(message, "record 2", "No such file or directory");
        EXPECT_EQ(output_close(output, NULL, message), 0);
        oracle_free(&oracle);
    }
    check_all_well(folder, NETCDF4);
    remove_folder(folder);
}

/* Write to a disk with that much room: what is said, and what can be read then. 1 if all fitted. */
static int fill_disk(const char *folder, enum format format, const char *why)
{
    struct oracle oracle;
    struct output *output;
    char message[OUTPUT_MESSAGE] = "", path[2 * ORACLE_PATH];
    int failed = -1, result;
    disk_failed = 0;
    init(&oracle, format);
    snprintf(path, sizeof path, "%s/file.nc", folder);
    result = output_open(&output, &oracle.iodef, 0, &oracle.grid, folder, MPI_COMM_WORLD, message);
    if (!result)
        result = oracle_write(&oracle, output, 0, oracle.num_records, 0, &failed, message);
    if (result)
        check_message(message, failed < 0 ? "" : "record ", why);
    if (failed >= 0) {
        int can_read = 1;
        EXPECT_EQ(output_close(output, NULL, message), 0);
        /* HDF5 keeps in memory where records are, and writes that at the end if it can. */
        if (rank() == 0 && format == NETCDF4 && disk_lies)
            can_read = oracle_length(path) >= failed;
        if (rank() == 0 && can_read)
            oracle_check(&oracle, path, failed, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    oracle_free(&oracle);
    return !result;
}

/* From a disk that is too small for anything to one that is large enough. */
static void fill_disks(const char *why, long long last, long long step)
{
    char folder[ORACLE_PATH];
    int num_full = 0, num_fit = 0;
    make_folder(folder);
    for (int f = NETCDF4; f <= CDF5; f++) {
        for (disk_room = 0; disk_room < last; disk_room += step)
            fill_disk(folder, f, why) ? num_fit++ : num_full++;
        EXPECT(num_full > 0 && num_fit > 0);
        disk_room = -1;
        check_all_well(folder, f); /* nothing is left of what failed */
    }
    remove_folder(folder);
}

static void full_disk(void)
{
    disk_lies = 0;
    fill_disks("No space left on device", 1300000, 100003);
}

/* Here it shows only when it is too late. */
static void full_disk_unforeseen(void)
{
    disk_lies = 1;
    fill_disks("No space left on device", 1300000, 100003);
}

static void broken_disk(void)
{
    disk_lies = 1;
    disk_errno = EIO;
    fill_disks("Input/output error", 1300000, 130003);
    disk_errno = ENOSPC;
}

/* Not in the process that looks after the disk, if there are others. */
static void broken_elsewhere(void)
{
    char folder[ORACLE_PATH];
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_folder(folder);
    disk_lies = 1;
    disk_errno = EIO;
    for (int f = NETCDF4; f <= CDF5; f++) {
        disk_room = rank() || size == 1 ? 400000 : -1;
        EXPECT_EQ(fill_disk(folder, f, "Input/output error"), 0);
        disk_room = -1;
        check_all_well(folder, f);
    }
    disk_errno = ENOSPC;
    remove_folder(folder);
}

/* A limit of the processes, which would kill them. */
static void file_limit(void)
{
    struct rlimit old, small;
    char folder[ORACLE_PATH];
    make_folder(folder);
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 600000;
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_EQ(fill_disk(folder, NETCDF4, "File too large"), 0);
    EXPECT_EQ(fill_disk(folder, CDF5, "File too large"), 0);
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
    check_all_well(folder, NETCDF4);
    remove_folder(folder);
}

static const harness_test tests[] = {
    {"open_nowhere", NULL, open_nowhere},
    {"stale_file", NULL, stale_file},
    {"wrong_order", NULL, wrong_order},
    {"file_vanishes", NULL, file_vanishes},
    {"file_limit", NULL, file_limit},
    {"full_disk", NULL, full_disk},
    {"broken_disk", NULL, broken_disk},
    {"broken_elsewhere", NULL, broken_elsewhere},
    {"full_disk_unforeseen", NULL, full_disk_unforeseen},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "output_failures", tests);
}
