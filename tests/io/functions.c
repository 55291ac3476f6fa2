/* SPDX-License-Identifier: BSD-3-Clause */
/* functions.c: each function of a file once or twice, and what it says in the standard. */
#include "place.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RDWR = MPI_MODE_RDWR | MPI_MODE_CREATE };

static int exists(const char *name)
{
    return access(name, F_OK) == 0;
}

/* ---- opening and closing ---- */

static void modes(team_t *t, void *arg)
{
    char name[PLACE];
    ep_file fh = EP_FILE_NULL;
    MPI_Offset at;
    int amode, number = t->rank;
    (void)arg;
    place_make(t, name);
    EXPECT_RC(ep_file_open(t->comm, name, MPI_MODE_RDWR, MPI_INFO_NULL, &fh), MPI_ERR_NO_SUCH_FILE);
    EXPECT(fh == EP_FILE_NULL);
    fh = place_open(t, name, RDWR | MPI_MODE_EXCL | MPI_MODE_UNIQUE_OPEN, NULL);
    EXPECT_OK(ep_file_get_amode(fh, &amode));
    EXPECT_EQ(amode, RDWR | MPI_MODE_EXCL | MPI_MODE_UNIQUE_OPEN);
    EXPECT_OK(ep_file_write_at(fh, 4 * t->rank, &number, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_close(&fh));
    EXPECT(fh == EP_FILE_NULL);
    EXPECT_RC(ep_file_open(t->comm, name, RDWR | MPI_MODE_EXCL, MPI_INFO_NULL, &fh), MPI_ERR_FILE_EXISTS);
    fh = place_open(t, name, MPI_MODE_RDONLY | MPI_MODE_APPEND, NULL);
    EXPECT_OK(ep_file_get_position(fh, &at));
    EXPECT_EQ(at, 4 * t->size);
    EXPECT_OK(ep_file_seek(fh, -4, MPI_SEEK_CUR));
    EXPECT_OK(ep_file_read(fh, &number, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(number, t->size - 1);
    EXPECT_OK(ep_file_close(&fh));
    EXPECT(exists(name));
    fh = place_open(t, name, MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, NULL);
    EXPECT_OK(ep_file_close(&fh));
    EXPECT(!exists(name));
    place_free(t, name);
}

/* Many at a time, of parts of the communicator, too. */
static void several(team_t *t, void *arg)
{
    enum { N = 5 };
    char name[N][PLACE], own[PLACE + 16];
    ep_file fh[N], mine = EP_FILE_NULL;
    int n = 0;
    (void)arg;
    for (int i = 0; i < N; i++) {
        place_make(t, name[i]);
        fh[i] = place_open(t, name[i], RDWR, NULL);
        n = 100 * i + t->rank;
        EXPECT_OK(ep_file_write_at(fh[i], (MPI_Offset)sizeof n * t->rank, &n, 1, MPI_INT, EP_STATUS_IGNORE));
    }
    snprintf(own, sizeof own, "%s.%d", name[0], t->rank);
    ep_comm alone;
    EXPECT_OK(ep_comm_split(t->comm, t->rank, 0, &alone));
    EXPECT_OK(ep_file_open(alone, own, RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &mine));
    EXPECT_OK(ep_comm_free(&alone));
    EXPECT_OK(ep_file_write(mine, &n, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT(exists(own));
    EXPECT_OK(ep_file_close(&mine));
    EXPECT(!exists(own));
    for (int i = N - 1; i >= 0; i--) {
        int next = (t->rank + 1) % t->size;
        EXPECT_OK(ep_file_sync(fh[i]));
        EXPECT_OK(ep_file_read_at(fh[i], (MPI_Offset)sizeof n * next, &n, 1, MPI_INT, EP_STATUS_IGNORE));
        EXPECT_EQ(n, 100 * i + next);
        EXPECT_OK(ep_file_close(&fh[i]));
        place_free(t, name[i]);
    }
}

/* ---- sizes ---- */

static void sizes(team_t *t, void *arg)
{
    char name[PLACE], byte = 'x';
    struct stat s;
    MPI_Offset size;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_get_size(fh, &size));
    EXPECT_EQ(size, 0);
    EXPECT_OK(ep_file_set_size(fh, 1000));
    EXPECT_OK(ep_file_get_size(fh, &size));
    EXPECT_EQ(size, 1000);
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_file_preallocate(fh, 100000));
    EXPECT_OK(ep_file_get_size(fh, &size));
    EXPECT_EQ(size, 100000);
    EXPECT_EQ(stat(name, &s), 0);
    EXPECT(s.st_blocks * 512 >= 100000);
    EXPECT_OK(ep_file_preallocate(fh, 10));
    EXPECT_OK(ep_file_get_size(fh, &size));
    EXPECT_EQ(size, 100000);
    EXPECT_OK(ep_file_seek(fh, 0, MPI_SEEK_END));
    EXPECT_OK(ep_file_get_position(fh, &size));
    EXPECT_EQ(size, 100000);
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_file_set_size(fh, 10));
    EXPECT_OK(ep_file_get_position(fh, &size));
    EXPECT_EQ(size, 100000);
    EXPECT_OK(ep_file_read_at(fh, 9, &byte, 1, MPI_CHAR, EP_STATUS_IGNORE));
    EXPECT_EQ(byte, 0);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

/* ---- views and pointers ---- */

/* Pairs of ints of which each endpoint has every size-th. */
static MPI_Datatype every(team_t *t)
{
    MPI_Datatype pair, type;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, (MPI_Aint)(8 * t->size), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&pair);
    return type;
}

static void views(team_t *t, void *arg)
{
    char name[PLACE], datarep[MPI_MAX_DATAREP_STRING];
    MPI_Offset disp, at;
    MPI_Datatype etype, filetype, type = every(t);
    MPI_Aint lb, extent;
    int n[6], want[6];
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_get_view(fh, &disp, &etype, &filetype, datarep));
    EXPECT(disp == 0 && etype == MPI_BYTE && filetype == MPI_BYTE);
    EXPECT_STR(datarep, "native");
    EXPECT_OK(ep_file_set_view(fh, 12 + 8 * t->rank, MPI_INT, type, "internal", MPI_INFO_NULL));
    MPI_Type_free(&type);
    EXPECT_OK(ep_file_get_view(fh, &disp, &etype, &filetype, datarep));
    EXPECT_EQ(disp, 12 + 8 * t->rank);
    EXPECT(etype == MPI_INT);
    EXPECT_STR(datarep, "internal");
    MPI_Type_get_extent(filetype, &lb, &extent);
    EXPECT_EQ(extent, 8 * t->size);
    MPI_Type_free(&filetype);
    for (int i = 0; i < 6; i++)
        want[i] = 10 * t->rank + i;
    EXPECT_OK(ep_file_write(fh, want, 5, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_get_position(fh, &at));
    EXPECT_EQ(at, 5);
    EXPECT_OK(ep_file_write(fh, want + 5, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_get_byte_offset(fh, 5, &at));
    EXPECT_EQ(at, 12 + 8 * t->rank + 16 * t->size + 4);
    EXPECT_OK(ep_file_seek(fh, 1, MPI_SEEK_SET));
    EXPECT_OK(ep_file_read(fh, n, 4, MPI_INT, EP_STATUS_IGNORE));
    EXPECT(memcmp(n, want + 1, 4 * sizeof *n) == 0);
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(ep_file_seek(fh, -1, MPI_SEEK_END));
    EXPECT_OK(ep_file_get_position(fh, &at));
    EXPECT_EQ(at, 5);
    EXPECT_OK(ep_file_seek(fh, 3, MPI_SEEK_CUR));
    EXPECT_OK(ep_file_get_position(fh, &at));
    EXPECT_EQ(at, 8);
    EXPECT_OK(ep_file_get_type_extent(fh, MPI_DOUBLE, &extent));
    EXPECT_EQ(extent, sizeof(double));
    for (int r = 0; r < t->size; r++) {
        place_read(name, n, 8, 12 + 8 * (r + t->size));
        EXPECT_EQ(n[0], 10 * r + 2);
        EXPECT_EQ(n[1], 10 * r + 3);
    }
    EXPECT_OK(ep_file_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    EXPECT_OK(ep_file_get_position(fh, &at));
    EXPECT_EQ(at, 0);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

/* What there is of it is read. */
static void short_reads(team_t *t, void *arg)
{
    char name[PLACE];
    double x[10] = {0};
    ep_status status;
    int n;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_set_size(fh, 5 * sizeof(double) + 4));
    EXPECT_OK(ep_file_read_at(fh, 0, x, 10, MPI_DOUBLE, &status));
    EXPECT_OK(ep_get_count(&status, MPI_DOUBLE, &n));
    EXPECT_EQ(n, MPI_UNDEFINED);
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &n));
    EXPECT_EQ(n, 44);
    EXPECT_OK(ep_get_elements(&status, MPI_FLOAT, &n));
    EXPECT_EQ(n, 11);
    EXPECT_OK(ep_file_read_at(fh, 8, x, 4, MPI_DOUBLE, &status));
    EXPECT_OK(ep_get_count(&status, MPI_DOUBLE, &n));
    EXPECT_EQ(n, 4);
    EXPECT_OK(ep_file_read_at(fh, 1000, x, 10, MPI_DOUBLE, &status));
    EXPECT_OK(ep_get_count(&status, MPI_DOUBLE, &n));
    EXPECT_EQ(n, 0);
    EXPECT_OK(ep_file_read_at(fh, 0, NULL, 0, MPI_DOUBLE, &status));
    EXPECT_OK(ep_get_count(&status, MPI_DOUBLE, &n));
    EXPECT_EQ(n, 0);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

/* ---- what is asked ---- */

static void hints(team_t *t, void *arg)
{
    char name[PLACE], value[64];
    MPI_Info info;
    struct stat s;
    int flag;
    (void)arg;
    place_make(t, name);
    ep_file fh =
        place_open(t, name, RDWR, "file_perm=600 ind_rd_buffer_size=65536 romio_ds_read=nonsense other=1");
    EXPECT_EQ(stat(name, &s), 0);
    EXPECT_EQ(s.st_mode & 0777, 0600);
    EXPECT_OK(ep_file_get_info(fh, &info));
    MPI_Info_get(info, "ind_rd_buffer_size", 63, value, &flag);
    EXPECT(flag && strcmp(value, "65536") == 0);
    MPI_Info_get(info, "romio_ds_read", 63, value, &flag);
    EXPECT(flag && strcmp(value, "automatic") == 0);
    MPI_Info_set(info, "romio_ds_read", "disable");
    EXPECT_OK(ep_file_set_info(fh, info));
    MPI_Info_free(&info);
    EXPECT_OK(ep_file_get_info(fh, &info));
    MPI_Info_get(info, "romio_ds_read", 63, value, &flag);
    EXPECT(flag && strcmp(value, "disable") == 0);
    MPI_Info_free(&info);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

static void properties(team_t *t, void *arg)
{
    char name[PLACE];
    ep_group group, all;
    int same, flag;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_get_group(fh, &group));
    EXPECT_OK(ep_comm_group(t->comm, &all));
    EXPECT_OK(ep_group_compare(group, all, &same));
    EXPECT_EQ(same, MPI_IDENT);
    EXPECT_OK(ep_group_free(&group));
    EXPECT_OK(ep_group_free(&all));
    EXPECT_OK(ep_file_get_atomicity(fh, &flag));
    EXPECT_EQ(flag, 0);
    EXPECT_OK(ep_file_set_atomicity(fh, 7));
    EXPECT_OK(ep_file_get_atomicity(fh, &flag));
    EXPECT_EQ(flag, 1);
    MPI_Fint number = ep_file_c2f(fh);
    EXPECT(ep_file_f2c(number) == fh);
    EXPECT(ep_file_f2c(ep_file_c2f(EP_FILE_NULL)) == EP_FILE_NULL);
    EXPECT_OK(ep_file_close(&fh));
    EXPECT(ep_file_f2c(number) == EP_FILE_NULL);
    place_free(t, name);
}

static const harness_test tests[] = {
    {"modes", modes, NULL},           {"several", several, NULL},         {"sizes", sizes, NULL},
    {"views", views, NULL},           {"short_reads", short_reads, NULL}, {"hints", hints, NULL},
    {"properties", properties, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "io functions", tests);
}
