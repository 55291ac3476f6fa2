/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * async.c: EP_ASYNC_PROGRESS=1 (src/p2p/progress/async.h). All endpoints of process 0 compute: their threads look at a word of
 * memory shared between the processes, and call neither ep nor MPI, until a far endpoint has got through what needs
 * process 0. The watchdog is the judge: without the helper these tests hang.
 */
#include "harness.h"
#include <dirent.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 3 << 20, REPEATS = 20 };

/* A word that all processes share, made by rank 0. */
static atomic_int *word_open(team_t *t)
{
    char name[64] = "/tmp/ep_async_XXXXXX";
    int fd = t->rank == 0 ? mkstemp(name) : -1;
    if (t->rank == 0)
        EXPECT(fd >= 0 && ftruncate(fd, sizeof(atomic_int)) == 0);
    EXPECT_OK(ep_bcast(name, sizeof name, MPI_CHAR, 0, t->comm));
    FILE *f = fopen(name, "r+");
    EXPECT(f != NULL);
    atomic_int *word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED, f ? fileno(f) : -1, 0);
    EXPECT(word != MAP_FAILED);
    if (f)
        fclose(f);
    team_barrier(t);
    if (t->rank == 0) {
        close(fd);
        unlink(name);
    }
    return word;
}

static void word_close(atomic_int *word)
{
    munmap(word, sizeof *word);
}

static void compute_until(atomic_int *word, int value)
{
    while (atomic_load(word) < value)
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000}, NULL);
}

/* The last rank; 0: all are in one process. */
static int far_rank(const team_t *t)
{
    return team_process_of(t, t->size - 1) == 0 ? 0 : t->size - 1;
}

/* Process 0 computes while `visit` runs in the last endpoint, REPEATS times. */
static void while_computing(team_t *t, void (*visit)(team_t *t, int round, void *arg), void *arg)
{
    int far = far_rank(t);
    atomic_int *word = word_open(t);
    for (int round = 1; far && round <= REPEATS; round++) {
        if (t->process == 0) {
            compute_until(word, round);
        } else if (t->rank == far) {
            visit(t, round, arg);
            atomic_store(word, round);
        }
    }
    team_barrier(t);
    word_close(word);
}

/* ---- messages: the receive is posted ---- */

static void send_large(team_t *t, int round, void *buf)
{
    fill(buf, LARGE, (unsigned)round);
    EXPECT_OK(ep_ssend(buf, LARGE, MPI_BYTE, 0, round, t->comm));
}

static void messages(team_t *t, void *arg)
{
    ep_request requests[REPEATS];
    char *buf = xmalloc(t->rank == 0 ? (size_t)LARGE * REPEATS : LARGE);
    (void)arg;
    for (int i = 0; i < REPEATS && t->rank == 0 && far_rank(t); i++)
        EXPECT_OK(ep_irecv(buf + (size_t)LARGE * (size_t)i, LARGE, MPI_BYTE, far_rank(t), i + 1, t->comm,
                           &requests[i]));
    while_computing(t, send_large, buf);
    for (int i = 0; i < REPEATS && t->rank == 0 && far_rank(t); i++) {
        EXPECT_OK(ep_wait(&requests[i], EP_STATUS_IGNORE));
        EXPECT_FILLED(buf + (size_t)LARGE * (size_t)i, LARGE, (unsigned)i + 1);
    }
    free(buf);
}

/* ---- windows: passive targets ---- */

struct visited {
    ep_win win;
    char *large;
};

static void count_up(team_t *t, int round, void *arg)
{
    struct visited *v = arg;
    long one = 1, old = -1;
    for (int target = 0; target < t->counts[0]; target++) {
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, v->win));
        EXPECT_OK(ep_fetch_and_op(&one, &old, MPI_LONG, target, 0, MPI_SUM, v->win));
        EXPECT_OK(ep_win_unlock(target, v->win));
        EXPECT_EQ(old, round - 1);
    }
}

static void put_and_get(team_t *t, int round, void *arg)
{
    struct visited *v = arg;
    int target = round % t->counts[0];
    EXPECT_OK(ep_win_lock_all(0, v->win));
    fill(v->large, LARGE, (unsigned)round);
    EXPECT_OK(ep_put(v->large, LARGE, MPI_BYTE, target, sizeof(long), LARGE, MPI_BYTE, v->win));
    EXPECT_OK(ep_win_flush(target, v->win));
    memset(v->large, 0, LARGE);
    EXPECT_OK(ep_get(v->large, LARGE, MPI_BYTE, target, sizeof(long), LARGE, MPI_BYTE, v->win));
    EXPECT_OK(ep_win_unlock_all(v->win));
    EXPECT_FILLED(v->large, LARGE, (unsigned)round);
}

static void windows(team_t *t, void *arg)
{
    struct visited v = {.large = xmalloc(LARGE)};
    size_t bytes = t->process == 0 ? sizeof(long) + LARGE : 0;
    long *memory = xmalloc(bytes);
    (void)arg;
    memset(memory, 0, bytes);
    EXPECT_OK(ep_win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, t->comm, &v.win));
    while_computing(t, count_up, &v);
    while_computing(t, put_and_get, &v);
    EXPECT_OK(ep_win_free(&v.win));
    if (t->process == 0 && far_rank(t))
        EXPECT_EQ(*memory, REPEATS);
    free(memory);
    free(v.large);
}

/* ---- the helper itself ---- */

static int read_text(char *text, size_t n, const char *id, const char *file)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", id, file);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    int ok = fgets(text, (int)n, f) != NULL;
    fclose(f);
    return ok;
}

/* How many helpers this process has, and how long they have run. */
static int helpers(long long *ns)
{
    int n = 0;
    char text[128];
    DIR *dir = opendir("/proc/self/task");
    *ns = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        if (!read_text(text, sizeof text, entry->d_name, "comm") || strcmp(text, "ep-progress\n") != 0)
            continue;
        n++;
        if (read_text(text, sizeof text, entry->d_name, "schedstat"))
            *ns += atoll(text);
    }
    if (dir)
        closedir(dir);
    return n;
}

/* One, however many endpoints there are, and hardly seen while nobody wants anything. */
static void frugal(team_t *t, void *arg)
{
    long long before, after;
    (void)arg;
    team_barrier(t);
    if (t->index == 0)
        EXPECT_EQ(helpers(&before), 1);
    nanosleep(&(struct timespec){.tv_nsec = 300 * 1000 * 1000}, NULL);
    if (t->index == 0) {
        EXPECT_EQ(helpers(&after), 1);
        EXPECT(after - before < 150 * 1000 * 1000);
    }
    team_barrier(t);
}

static void nothing(team_t *t, void *arg)
{
    (void)arg;
    team_barrier(t);
}

/* A thread that was joined is listed for some moments more. One that stays is the watchdog's. */
static void wait_for_none(void)
{
    for (long long ns; helpers(&ns) > 0;)
        nanosleep(&(struct timespec){.tv_nsec = 100 * 1000}, NULL);
}

/* There while there are endpoints. */
static void comes_and_goes(void)
{
    for (int i = 0; i < REPEATS; i++) {
        wait_for_none();
        team_run(nothing, NULL);
    }
    team_run(frugal, NULL);
    wait_for_none();
}

static const harness_test tests[] = {
    {"messages", messages, NULL}, {"windows", windows, NULL}, {"comes_and_goes", NULL, comes_and_goes}};

/* The setting is read when the library is loaded. */
int main(int argc, char **argv)
{
    const char *setting = getenv("EP_ASYNC_PROGRESS");
    if (!setting || strcmp(setting, "1") != 0) {
        setenv("EP_ASYNC_PROGRESS", "1", 1);
        execv("/proc/self/exe", argv);
        abort();
    }
    return HARNESS_MAIN(argc, argv, "async", tests);
}
