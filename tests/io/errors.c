/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * errors.c: what is wrong with a call, or with the file system, gives MPI's class and a text that names call,
 * endpoint and what it is about, by the right error handler; nobody waits for those who have an error.
 */
#include "place.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RDWR = MPI_MODE_RDWR | MPI_MODE_CREATE };

/* ---- opening ---- */

/* All give it. */
static void wrong_modes(team_t *t, void *arg)
{
    static const int wrong[] = {0,
                                MPI_MODE_CREATE,
                                MPI_MODE_RDONLY | MPI_MODE_RDWR,
                                MPI_MODE_RDONLY | MPI_MODE_CREATE,
                                MPI_MODE_RDONLY | MPI_MODE_EXCL,
                                MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
                                MPI_MODE_RDWR | 1 << 20};
    char name[PLACE];
    ep_file fh;
    (void)arg;
    place_make(t, name);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fh = (ep_file)name;
        refused(t, ep_file_open(t->comm, name, wrong[i], MPI_INFO_NULL, &fh), MPI_ERR_AMODE, "ep_file_open",
                "amode");
        EXPECT(fh == EP_FILE_NULL);
    }
    place_free(t, name);
}

/* One endpoint has an error, or other arguments: all are told. */
static void one_is_wrong(team_t *t, void *arg)
{
    char name[PLACE], other[PLACE + 8];
    ep_file fh;
    int odd = t->rank == t->size - 1, rc;
    (void)arg;
    place_make(t, name);
    rc = ep_file_open(t->comm, odd ? NULL : name, RDWR, MPI_INFO_NULL, &fh);
    refused(t, rc, MPI_ERR_ARG, "ep_file_open", odd ? "filename" : "endpoint");
    rc = ep_file_open(t->comm, name, odd ? 0 : RDWR, MPI_INFO_NULL, &fh);
    refused(t, rc, MPI_ERR_AMODE, "ep_file_open", odd ? "amode" : "endpoint");
    if (t->size > 1) {
        rc = ep_file_open(t->comm, name, odd ? RDWR | MPI_MODE_APPEND : RDWR, MPI_INFO_NULL, &fh);
        refused(t, rc, MPI_ERR_NOT_SAME, "ep_file_open", "amode");
        snprintf(other, sizeof other, "%s.b", name);
        if (t->rank == 0)
            fclose(fopen(other, "w"));
        EXPECT_OK(ep_barrier(t->comm));
        rc = ep_file_open(t->comm, odd ? other : name, RDWR, MPI_INFO_NULL, &fh);
        refused(t, rc, MPI_ERR_NOT_SAME, "ep_file_open", "file");
        EXPECT_OK(ep_barrier(t->comm));
        if (t->rank == 0)
            unlink(other);
    }
    EXPECT(fh == EP_FILE_NULL);
    place_free(t, name);
}

static void wrong_communicators(team_t *t, void *arg)
{
    ep_comm half, inter, none = EP_COMM_NULL;
    ep_file fh;
    int odd = t->rank % 2;
    (void)arg;
    EXPECT_RC(ep_file_open(none, "x", RDWR, MPI_INFO_NULL, &fh), MPI_ERR_COMM);
    refused(t, ep_file_open(t->comm, "x", RDWR, MPI_INFO_NULL, NULL), MPI_ERR_ARG, "ep_file_open", "fh");
    if (t->size < 2)
        return;
    EXPECT_OK(ep_comm_split(t->comm, odd, t->rank, &half));
    if (!EXPECT_OK(ep_intercomm_create(half, 0, t->comm, !odd, 0, &inter)))
        return;
    EXPECT_RC(ep_file_open(inter, "x", RDWR, MPI_INFO_NULL, &fh), MPI_ERR_COMM);
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&half));
}

/* What the system says. */
static void of_the_system(team_t *t, void *arg)
{
    char name[PLACE], bad[PLACE + 300];
    ep_file fh;
    (void)arg;
    place_make(t, name);
    snprintf(bad, sizeof bad, "%s/none/of/them", name);
    refused(t, ep_file_open(t->comm, bad, RDWR, MPI_INFO_NULL, &fh), MPI_ERR_NO_SUCH_FILE, "ep_file_open",
            "none/of/them");
    snprintf(bad, sizeof bad, "%s", name);
    *strrchr(bad, '/') = '\0';
    refused(t, ep_file_open(t->comm, bad, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh), MPI_ERR_BAD_FILE,
            "ep_file_open", "irectory");
    memset(bad, 'n', sizeof bad - 1);
    memcpy(bad, name, strlen(name));
    bad[sizeof bad - 1] = '\0';
    refused(t, ep_file_open(t->comm, bad, RDWR, MPI_INFO_NULL, &fh), MPI_ERR_BAD_FILE, "ep_file_open",
            "long");
    fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_close(&fh));
    snprintf(bad, sizeof bad, "%s/below", name);
    refused(t, ep_file_open(t->comm, bad, RDWR, MPI_INFO_NULL, &fh), MPI_ERR_BAD_FILE, "ep_file_open",
            "irectory");
    EXPECT_OK(ep_barrier(t->comm));
    if (t->rank == 0) {
        EXPECT_OK(ep_file_delete(name, MPI_INFO_NULL));
        EXPECT_RC(ep_file_delete(name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    }
    EXPECT_RC(ep_file_delete(NULL, MPI_INFO_NULL), MPI_ERR_ARG);
    place_free(t, name);
}

/* ---- with a file ---- */

static void arguments(team_t *t, void *arg)
{
    char name[PLACE];
    MPI_Datatype raw;
    MPI_Offset at;
    ep_file fh, none = EP_FILE_NULL;
    int x = 0;
    (void)arg;
    place_make(t, name);
    fh = place_open(t, name, RDWR, NULL);
    MPI_Type_contiguous(2, MPI_INT, &raw);
#define REFUSED(name, args, want, part) refused(t, ep_file_##name args, want, "ep_file_" #name, part)
    REFUSED(read_at, (fh, -1, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG, "offset");
    REFUSED(write_at, (fh, 0, &x, -1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_COUNT, "count");
    REFUSED(write, (fh, NULL, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_BUFFER, "buf");
    REFUSED(read, (fh, &x, 1, MPI_DATATYPE_NULL, EP_STATUS_IGNORE), MPI_ERR_TYPE, "datatype");
    REFUSED(read, (fh, &x, 1, raw, EP_STATUS_IGNORE), MPI_ERR_TYPE, "datatype");
    REFUSED(seek, (fh, -1, MPI_SEEK_SET), MPI_ERR_ARG, "offset");
    REFUSED(seek, (fh, 0, 77), MPI_ERR_ARG, "whence");
    REFUSED(get_position, (fh, NULL), MPI_ERR_ARG, "offset");
    REFUSED(get_byte_offset, (fh, -1, &at), MPI_ERR_ARG, "offset");
    REFUSED(set_info, (fh, MPI_INFO_NULL), MPI_ERR_INFO, "info");
    REFUSED(set_size, (fh, -1), MPI_ERR_ARG, "size");
    REFUSED(preallocate, (fh, -1), MPI_ERR_ARG, "size");
    EXPECT_RC(ep_file_read(none, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_FILE);
    EXPECT_RC(ep_file_close(&none), MPI_ERR_FILE);
    if (t->size > 1) {
        REFUSED(set_size, (fh, t->rank == 0), MPI_ERR_NOT_SAME, "size");
        REFUSED(set_atomicity, (fh, t->rank == 0), MPI_ERR_NOT_SAME, "flag");
    }
    MPI_Type_free(&raw);
    none = fh;
    EXPECT_OK(ep_file_close(&fh));
    EXPECT_RC(ep_file_get_position(none, &at), MPI_ERR_FILE);
    place_free(t, name);
}

/* Places that no file has, by offset, pointer, extent and displacement; and a view without any. */
static void beyond(team_t *t, void *arg)
{
    char name[PLACE];
    MPI_Datatype wide, nothing;
    MPI_Offset at, size;
    ep_status status;
    int x = 1, n, odd = t->rank == t->size - 1;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)1 << 40, &wide);
    MPI_Type_commit(&wide);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int k = 0; k < 3; k++) {
        static const MPI_Offset far[] = {(MPI_Offset)1 << 62, (MPI_Offset)1 << 23, INT64_MAX - 1};
        EXPECT_OK(ep_file_set_view(fh, k == 2 ? INT64_MAX - 2 : 0, MPI_INT, k ? wide : MPI_INT, "native",
                                   MPI_INFO_NULL));
        MPI_Offset offset = k == 2 ? 0 : far[k];
        REFUSED(write_at, (fh, offset, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG, "beyond");
        REFUSED(read_at, (fh, far[k], &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG, "beyond");
        REFUSED(get_byte_offset, (fh, far[k], &at), MPI_ERR_ARG, "offset");
        EXPECT_OK(ep_file_seek(fh, far[k], MPI_SEEK_SET));
        REFUSED(write, (fh, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG, "beyond");
        int rc = ep_file_write_at_all(fh, odd ? far[k] : offset, &x, odd, MPI_INT, EP_STATUS_IGNORE);
        refused(t, rc, MPI_ERR_ARG, "ep_file_write_at_all", odd ? "beyond" : "endpoint");
    }
    EXPECT_OK(ep_file_set_view(fh, 4, MPI_INT, nothing, "native", MPI_INFO_NULL));
    REFUSED(write, (fh, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG, "no data");
    EXPECT_OK(ep_file_write(fh, &x, 0, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_read(fh, &x, 1, MPI_INT, &status));
    EXPECT_OK(ep_get_count(&status, MPI_INT, &n));
    EXPECT_EQ(n, 0);
    EXPECT_OK(ep_file_get_size(fh, &size));
    EXPECT_EQ(size, 0);
    MPI_Type_free(&wide);
    MPI_Type_free(&nothing);
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

static void wrong_views(team_t *t, void *arg)
{
    char name[PLACE];
    MPI_Datatype down, negative, twice, odd;
    int ones[] = {1, 1}, back[] = {4, 0}, same[] = {0, 0};
    MPI_Aint below[] = {-4, 0};
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, RDWR, NULL);
    MPI_Type_indexed(2, ones, back, MPI_INT, &down);
    MPI_Type_indexed(2, ones, same, MPI_INT, &twice);
    MPI_Type_create_hindexed(2, ones, below, MPI_INT, &negative);
    MPI_Type_contiguous(3, MPI_CHAR, &odd);
    MPI_Datatype *all[] = {&down, &negative, &twice, &odd};
    const char *why[] = {"decrease", "negative", "overlap", "etypes"};
    for (int i = 0; i < 4; i++) {
        MPI_Type_commit(all[i]);
        REFUSED(set_view, (fh, 0, MPI_INT, *all[i], "native", MPI_INFO_NULL), MPI_ERR_TYPE, why[i]);
    }
    REFUSED(set_view, (fh, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG, "disp");
    REFUSED(set_view, (fh, 0, MPI_INT, MPI_INT, "natural", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP,
            "natural");
    REFUSED(set_view, (fh, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG,
            "disp");
    if (t->size > 1) {
        int last = t->rank == t->size - 1;
        REFUSED(set_view, (fh, 0, last ? MPI_SHORT : MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
                MPI_ERR_NOT_SAME, "etype");
        refused(t, ep_file_set_view(fh, 0, MPI_INT, last ? down : MPI_INT, "native", MPI_INFO_NULL),
                MPI_ERR_TYPE, "ep_file_set_view", last ? "decrease" : "endpoint");
    }
    EXPECT_OK(ep_file_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    EXPECT_OK(ep_file_close(&fh));
    fh = place_open(t, name, MPI_MODE_RDONLY, NULL);
    EXPECT_OK(ep_file_set_view(fh, 0, MPI_INT, twice, "native", MPI_INFO_NULL));
    EXPECT_OK(ep_file_close(&fh));
    for (int i = 0; i < 4; i++)
        MPI_Type_free(all[i]);
    place_free(t, name);
}

/* What the mode does not allow. */
static void forbidden(team_t *t, void *arg)
{
    char name[PLACE];
    MPI_Offset at;
    int x = 1;
    (void)arg;
    place_make(t, name);
    ep_file fh = place_open(t, name, MPI_MODE_WRONLY | MPI_MODE_CREATE, NULL);
    REFUSED(read_at, (fh, 0, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ACCESS, "WRONLY");
    EXPECT_OK(ep_file_write(fh, &x, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_OK(ep_file_close(&fh));
    fh = place_open(t, name, MPI_MODE_RDONLY, NULL);
    REFUSED(write, (fh, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_READ_ONLY, "RDONLY");
    REFUSED(set_size, (fh, 1), MPI_ERR_READ_ONLY, "RDONLY");
    REFUSED(preallocate, (fh, 1), MPI_ERR_READ_ONLY, "RDONLY");
    EXPECT_OK(ep_file_close(&fh));
    fh = place_open(t, name, MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, NULL);
    REFUSED(read_at, (fh, 0, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL");
    REFUSED(read, (fh, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL");
    REFUSED(seek, (fh, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL");
    REFUSED(get_position, (fh, &at), MPI_ERR_UNSUPPORTED_OPERATION, "SEQUENTIAL");
    REFUSED(set_view, (fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG, "SEQUENTIAL");
    EXPECT_OK(ep_file_set_view(fh, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    EXPECT_OK(ep_file_close(&fh));
    place_free(t, name);
}

/* A device that is always full. */
static void full(team_t *t, void *arg)
{
    ep_file fh = place_open(t, "/dev/full", MPI_MODE_WRONLY, NULL);
    ep_status status;
    char bytes[100] = {0};
    int n;
    (void)arg;
    REFUSED(write_at, (fh, 0, bytes, 100, MPI_CHAR, &status), MPI_ERR_NO_SPACE, "/dev/full");
    EXPECT_OK(ep_get_count(&status, MPI_CHAR, &n));
    EXPECT_EQ(n, 0);
    EXPECT_OK(ep_file_close(&fh));
}

/* ---- handlers ---- */

static _Thread_local int calls, code_seen;
static _Thread_local ep_file file_seen;

static void handler_function(ep_file *file, int *code, ...)
{
    calls++;
    code_seen = *code;
    file_seen = *file;
}

static void handlers(team_t *t, void *arg)
{
    char name[PLACE];
    ep_errhandler mine, got;
    int x;
    ep_file fh;
    (void)arg;
    place_make(t, name);
    calls = 0;
    EXPECT_OK(ep_thread_bind(t->comm));
    EXPECT_OK(ep_file_get_errhandler(EP_FILE_NULL, &got));
    EXPECT(got == EP_ERRORS_RETURN);
    EXPECT_OK(ep_file_create_errhandler(handler_function, &mine));
    EXPECT_RC(ep_comm_set_errhandler(t->comm, mine), MPI_ERR_ARG);
    EXPECT_OK(ep_file_set_errhandler(EP_FILE_NULL, mine));
    EXPECT_RC(ep_file_open(t->comm, name, MPI_MODE_RDWR, MPI_INFO_NULL, &fh), MPI_ERR_NO_SUCH_FILE);
    EXPECT_EQ(calls, 1);
    EXPECT(code_seen == MPI_ERR_NO_SUCH_FILE && file_seen == EP_FILE_NULL);
    fh = place_open(t, name, RDWR, NULL);
    EXPECT_OK(ep_file_set_errhandler(EP_FILE_NULL, EP_ERRORS_RETURN));
    EXPECT_RC(ep_file_read_at(fh, -1, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG);
    EXPECT_EQ(calls, 2);
    EXPECT(code_seen == MPI_ERR_ARG && file_seen == fh);
    EXPECT_OK(ep_file_get_errhandler(fh, &got));
    EXPECT(got == mine);
    EXPECT_OK(ep_errhandler_free(&got));
    EXPECT_OK(ep_errhandler_free(&mine));
    EXPECT_OK(ep_file_call_errhandler(fh, MPI_ERR_QUOTA));
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(code_seen, MPI_ERR_QUOTA);
    EXPECT_OK(ep_file_set_errhandler(fh, EP_ERRORS_RETURN));
    EXPECT_RC(ep_file_read_at(fh, -1, &x, 1, MPI_INT, EP_STATUS_IGNORE), MPI_ERR_ARG);
    EXPECT_OK(ep_file_call_errhandler(EP_FILE_NULL, MPI_ERR_QUOTA));
    EXPECT_EQ(calls, 3);
    EXPECT_OK(ep_file_close(&fh));
    EXPECT_OK(ep_thread_bind(EP_COMM_NULL));
    place_free(t, name);
}

static const harness_test tests[] = {
    {"wrong_modes", wrong_modes, NULL},
    {"one_is_wrong", one_is_wrong, NULL},
    {"wrong_communicators", wrong_communicators, NULL},
    {"of_the_system", of_the_system, NULL},
    {"arguments", arguments, NULL},
    {"beyond", beyond, NULL},
    {"wrong_views", wrong_views, NULL},
    {"forbidden", forbidden, NULL},
    {"full", full, NULL},
    {"handlers", handlers, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "io errors", tests);
}
