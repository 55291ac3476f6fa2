/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One file for the job: clocks are compared when endpoints are made on all processes for the first time, and at the end; then process
 * 0 writes its own events and lets the others, one after the other, send it theirs as text. Without such endpoints each
 * process writes a file of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "observe/observe.h"

enum { ROUNDS = 50, FAR_TRACE_TAG = 0 };

static struct {
    struct lanes_claim claim; /* whose is what follows */
    MPI_Comm comm;            /* of all processes, private; MPI_COMM_NULL until they meet */
    int rank, size;           /* in it */
    struct skew skew;         /* known after the end's comparison */
    double trip[2];           /* ns there and back in the comparisons */
    FILE *file;               /* process 0 */
} line = {.comm = MPI_COMM_NULL};

static _Atomic uint64_t cancelled; /* relaxed */
static _Atomic uint64_t origin;    /* 0: not recording yet; acq_rel begin_recording */
static _Atomic(char *) path;       /* set once: release remember and share_path, acquire trace_path */

static void begin_recording(void)
{
    uint64_t none = 0;
    if (!load_relaxed(&origin) && cas_acq_rel(&origin, &none, clock_ns()))
        or_acq_rel(&observers, OBSERVER_TRACE);
}

__attribute__((constructor)) static void far_trace_remember(void)
{
    const char *given = settings_environment("EP_TRACE");
    char here[PATH_MAX], *whole;
    if (!given || !*given)
        return;
    begin_recording();
    if (given[0] == '/' || !getcwd(here, sizeof here))
        whole = strdup(given);
    else if (asprintf(&whole, "%s/%s", here, given) < 0) /* the program may go elsewhere */
        whole = NULL;
    store_release(&path, whole);
}

const char *trace_path(void)
{
    const char *whole = load_acquire(&path);
    return whole ? whole : "";
}

/* The path of the first process that has one, in all; false if none has. */
static bool find_path(MPI_Comm parent, char text[PATH_MAX])
{
    int me, first, size;
    MPI_Errhandler handler = process_mute(parent);
    MPI_Comm_rank(parent, &me);
    MPI_Comm_size(parent, &size);
    int mine = *trace_path() ? me : size;
    bool any = MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, parent) == MPI_SUCCESS && first < size;
    if (any && me == first)
        snprintf(text, PATH_MAX, "%s", trace_path());
    any = any && MPI_Bcast(text, PATH_MAX, MPI_CHAR, first, parent) == MPI_SUCCESS;
    process_unmute(parent, handler);
    return any;
}

/* Who was given no file writes to that. Not one with more rights than its user (settings_environment): that has the events without
 * a file. */
static void share_path(MPI_Comm parent)
{
    char text[PATH_MAX] = "", *none = NULL;
    if (!find_path(parent, text))
        return;
    char *copy = *trace_path() || getauxval(AT_SECURE) ? NULL : strdup(text);
    if (copy && !cas_acq_rel(&path, &none, copy))
        free(copy); /* another thread was faster */
}

void trace_cancelled(void)
{
    add_relaxed(&cancelled, 1);
}

/* ---- clocks ---- */

/* Process 0: offset of the clock of process p, from the quickest of several trips. */
static void far_trace_ask(int p, double *offset, double *trip)
{
    uint64_t theirs;
    *trip = -1;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t before = clock_ns();
        MPI_Send(NULL, 0, MPI_BYTE, p, FAR_TRACE_TAG, line.comm);
        MPI_Recv(&theirs, 1, MPI_UINT64_T, p, FAR_TRACE_TAG, line.comm, MPI_STATUS_IGNORE);
        uint64_t after = clock_ns();
        if (*trip >= 0 && (double)(after - before) >= *trip)
            continue;
        *trip = (double)(after - before);
        *offset = (double)(int64_t)(theirs - before) - *trip / 2;
    }
}

static void far_trace_answer(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, FAR_TRACE_TAG, line.comm, MPI_STATUS_IGNORE);
        uint64_t now = clock_ns();
        MPI_Send(&now, 1, MPI_UINT64_T, 0, FAR_TRACE_TAG, line.comm);
    }
}

/* Comparison number k. Processes under one kernel have one clock, unless the system was told to show one of them another;
 * what a trip can be wrong by would only blur that. */
static void far_trace_compare(int k)
{
    double found[3] = {0, 0, (double)(process.machine >> 32)};
    for (int p = 1; line.rank == 0 && p < line.size; p++) {
        far_trace_ask(p, &found[0], &found[1]);
        MPI_Send(found, 3, MPI_DOUBLE, p, FAR_TRACE_TAG, line.comm);
    }
    if (line.rank > 0) {
        far_trace_answer();
        MPI_Recv(found, 3, MPI_DOUBLE, 0, FAR_TRACE_TAG, line.comm, MPI_STATUS_IGNORE);
        bool same = found[2] == (double)(process.machine >> 32);
        bool near = found[0] <= found[1] && -found[0] <= found[1];
        line.skew.offset[k] = same && near ? 0 : found[0];
    }
    line.skew.at[k] = clock_ns();
}

/* ---- files ---- */

static struct sink sink; /* the end's: too large for a stack */
static FILE *into;       /* and the file of it */
static size_t written;
static bool too_large; /* for the limit of the shell (ulimit -f) */

/* What an existing file must be before it loses its contents. Neither may a link in a folder of everybody's lead to another
 * file, nor is what somebody else has put there overwritten or handed to them. Opened without waiting: it may be a FIFO. */
static int far_trace_open_own(const char *name, const char **why)
{
    struct stat about;
    int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *why = NULL;
    if (fd < 0 && errno == ELOOP)
        *why = "it is a symbolic link";
    else if (fd < 0 || fstat(fd, &about) != 0)
        *why = strerror(errno);
    else if (!S_ISREG(about.st_mode) && !S_ISCHR(about.st_mode))
        *why = "it is not a file";
    else if (S_ISREG(about.st_mode) && about.st_uid != geteuid())
        *why = "it belongs to another user";
    else if (S_ISREG(about.st_mode) && ftruncate(fd, 0) != 0)
        *why = strerror(errno);
    if (!*why)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static FILE *far_trace_open_file(const char *name)
{
    const char *why;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST)
        fd = far_trace_open_own(name, &why);
    else if (fd < 0)
        why = strerror(errno);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !f) {
        why = strerror(errno);
        close(fd);
    }
    if (!f)
        log_warning("EP_TRACE: %s cannot be written: %s", name, why);
    written = 0;
    return f;
}

static void close_file(FILE *f, const char *name)
{
    bool failed = ferror(f);
    if (fclose(f) != 0 || failed || too_large)
        log_warning("EP_TRACE: %s is not complete: %s", name, strerror(too_large ? EFBIG : errno));
}

/* close_file looks at errors. */
static void put_file(struct sink *s, const char *text, size_t bytes)
{
    (void)s;
    written += bytes;
    if (file_may_have(written))
        fwrite(text, 1, bytes, into);
    else
        too_large = true;
}

static void put_message(struct sink *s, const char *text, size_t bytes)
{
    (void)s;
    MPI_Send(text, (int)bytes, MPI_BYTE, 0, FAR_TRACE_TAG, line.comm);
}

/* file.json -> file.3.json */
static char *own_name(void)
{
    char *name;
    const char *whole = trace_path(), *slash = strrchr(whole, '/'), *dot = strrchr(whole, '.');
    size_t stem = dot && (!slash || dot > slash + 1) ? (size_t)(dot - whole) : strlen(whole);
    return asprintf(&name, "%.*s.%d%s", (int)stem, whole, process.rank, whole + stem) < 0 ? NULL : name;
}

static void write_alone(void)
{
    static const struct skew none;
    struct trace_totals totals = {.cancelled = load_relaxed(&cancelled)};
    char *name = own_name();
    into = name ? far_trace_open_file(name) : NULL;
    if (into) {
        sink.put = put_file;
        trace_write_head(&sink);
        trace_write_process(&sink, &none, load_relaxed(&origin), &totals);
        trace_write_tail(&sink, &totals, 1);
        close_file(into, name);
    }
    free(name);
}

/* ---- all together ---- */

/* Process 0: what process p sends, until it sends nothing. */
static void far_trace_take(int p)
{
    int bytes;
    MPI_Status status;
    MPI_Send(NULL, 0, MPI_BYTE, p, FAR_TRACE_TAG, line.comm);
    do {
        MPI_Recv(sink.text, (int)sizeof sink.text, MPI_BYTE, p, FAR_TRACE_TAG, line.comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        if (line.file)
            put_file(&sink, sink.text, (size_t)bytes);
    } while (bytes > 0);
}

static void put_nowhere(struct sink *s, const char *text, size_t bytes)
{
    (void)s, (void)text, (void)bytes;
}

static void write_together(void)
{
    struct trace_totals totals = {.cancelled = load_relaxed(&cancelled)}, all = {0};
    uint64_t first;
    far_trace_compare(1);
    uint64_t mine = trace_common_time(&line.skew, load_relaxed(&origin));
    MPI_Allreduce(&mine, &first, 1, MPI_UINT64_T, MPI_MIN, line.comm);
    into = line.file;
    if (line.rank == 0) {
        sink.put = into ? put_file : put_nowhere;
        trace_write_head(&sink);
    } else {
        sink.put = put_message;
        MPI_Recv(NULL, 0, MPI_BYTE, 0, FAR_TRACE_TAG, line.comm, MPI_STATUS_IGNORE);
    }
    trace_write_process(&sink, &line.skew, first, &totals);
    if (line.rank > 0)
        MPI_Send(NULL, 0, MPI_BYTE, 0, FAR_TRACE_TAG, line.comm);
    for (int p = 1; line.rank == 0 && p < line.size; p++)
        far_trace_take(p);
    MPI_Reduce(&totals, &all, (int)(sizeof all / sizeof(uint64_t)), MPI_UINT64_T, MPI_SUM, 0, line.comm);
    if (line.rank == 0)
        trace_write_tail(&sink, &all, line.size);
    if (line.file)
        close_file(line.file, trace_path());
    lanes_undo(&line.comm);
}

static void far_trace_mpi_ends(void)
{
    mpi_enter();
    if (line.comm != MPI_COMM_NULL)
        write_together();
    else
        write_alone();
    mpi_leave();
}

/* parent has all processes. */
static void far_trace_meet(MPI_Comm parent)
{
    if (!observe_copy(&line.claim, parent, &line.comm))
        return;
    MPI_Comm_rank(line.comm, &line.rank);
    MPI_Comm_size(line.comm, &line.size);
    far_trace_compare(0);
    if (line.rank == 0)
        line.file =
            far_trace_open_file(trace_path()); /* now, so that a long run does not end with an error */
}

void trace_begin(MPI_Comm parent, bool all)
{
    share_path(parent);
    begin_recording();
    if (all)
        far_trace_meet(parent);
    process_at_end(END_TRACE, far_trace_mpi_ends);
}
