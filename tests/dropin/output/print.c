/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints in one of many ways, named by the argument; output.sh looks at what comes out. */
#include <assert.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

enum { LINES = 200 };

static int rank;

/* "rank line: a b c ... end", by other functions each time. */
static void parts(FILE *f)
{
    char buffer[BUFSIZ];
    setvbuf(f, rank % 2 ? buffer : NULL, rank % 3 ? _IOFBF : _IOLBF, sizeof buffer);
    for (int i = 0; i < LINES; i++) {
        fprintf(f, "%d ", rank);
        fprintf(f, "%d:", i);
        fputc(' ', f);
        for (int j = 0; j < 10; j++)
            putc('a' + j, f);
        fputs(" x", f);
        fwrite("yz ", 1, 3, f);
        putc_unlocked('u', f);
        fprintf(f, " end\n%s", "");
    }
}

/* Characters by the macros without locks, from all endpoints at once. */
static void characters(void)
{
    for (int i = 0; i < LINES; i++) {
        char line[64];
        snprintf(line, sizeof line, "%d %d: abcdefghij xyz u end", rank, i);
        for (const char *c = line; *c; c++)
            putchar_unlocked(*c);
        putchar_unlocked('\n');
    }
}

static void long_lines(void)
{
    enum { LONG = 300000 };
    char *text = malloc(LONG + 1);
    memset(text, 'a' + rank, LONG);
    text[LONG] = 0;
    for (int i = 0; i < 5; i++) {
        printf("%d %.*s", rank, LONG / 2, text);
        printf("%s\n", text + LONG / 2);
    }
    free(text);
}

/* A file of its own, with another name in each rank, then nothing. */
static void own_files(const char *dir)
{
    char path[4096];
    printf("before %d\n", rank);
    printf("left over %d", rank);
    snprintf(path, sizeof path, "%s/out.%d", dir, rank);
    if (!freopen(path, "w", stdout))
        err(1, "%s", path);
    if (fileno(stdout) <= 2 || fileno(stderr) != 2)
        errx(1, "fileno gives %d and %d", fileno(stdout), fileno(stderr));
    parts(stdout);
    printf("last");
    fflush(stdout);
    FILE *f = fopen(path, "r");
    fseek(f, -4, SEEK_END);
    char last[5] = "";
    if (fread(last, 1, 4, f) != 4 || strcmp(last, "last") != 0)
        errx(1, "fflush left something: %s", last);
    fclose(f);
    if (fclose(stdout) != 0 || printf("gone\n") >= 0)
        errx(1, "stdout is still open");
}

static void wide(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    if (fwide(stdout, 0) < 0)
        errx(1, "stdout takes no wide characters");
    for (int i = 0; i < LINES; i++) {
        wprintf(L"%d %d: \u00e4", rank, i);
        putwchar(L'\u20ac');
        fputws(L" end\n", stdout);
    }
}

/* Locks and errors of a stream are the rank's: the last one's device is full, rank 0 keeps its stdout while others print. */
static void apart(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int full = rank == size - 1;
    if (full && !freopen("/dev/full", "w", stdout))
        err(1, "/dev/full");
    if (rank == 0)
        flockfile(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        parts(stdout);
    if (rank != 0 && !full && fflush(NULL) != 0)
        errx(1, "fflush(NULL) fails");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        parts(stdout);
        funlockfile(stdout);
    }
    if (full) {
        clearerr(stdout);
        printf("this waits for fflush");
    }
    if (fflush(stdout) != (full ? EOF : 0) || !ferror(stdout) == full)
        errx(1, "fflush or ferror tells of another rank's stdout");
    clearerr(stdout);
    if (ferror(stdout))
        errx(1, "an error stays");
}

static void *warn_often(void *unused)
{
    for (int i = 0; i < LINES; i++)
        warnx("%d %d: abcdefghij xyz u end", rank, i);
    return unused;
}

/* What is printed under a lock is not taken apart by warnings of another thread. */
static void locked(void)
{
    pthread_t other;
    pthread_create(&other, NULL, warn_often, NULL);
    for (int i = 0; i < LINES; i++) {
        flockfile(stderr);
        fprintf(stderr, "%d %d:", rank, i);
        sched_yield();
        fprintf(stderr, " abcdefghij xyz");
        sched_yield();
        fprintf(stderr, " u end\n");
        funlockfile(stderr);
    }
    pthread_join(other, NULL);
    errno = ENOENT;
    warn(NULL);
    if (errno != ENOENT)
        errx(1, "warn has changed errno");
}

static void *print_and_flush(void *stop)
{
    int i = 0;
    for (; i < LINES || !atomic_load((atomic_bool *)stop); i++) {
        if (i < LINES)
            printf("%d %d: abcdefghij xyz u end\n", rank, i);
        FILE *f = fopen("/dev/null", "w");
        fclose(f);
        fflush(NULL);
    }
    return NULL;
}

/* Children are made while other threads of all ranks print, open files and flush all streams. */
static void forks(void)
{
    atomic_bool stop = false;
    pthread_t printer;
    pthread_create(&printer, NULL, print_and_flush, &stop);
    for (int i = 0; i < LINES; i += 4) {
        pid_t child = fork();
        if (child == 0) {
            for (int j = i; j < i + 4; j++)
                fprintf(stderr, "%d %d: child\n", rank, j);
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            errx(1, "child %d", i);
    }
    atomic_store(&stop, true);
    pthread_join(printer, NULL);
}

static void check_file(const char *path, const char *expected)
{
    char text[64] = "";
    int fd = open(path, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text - 1) < 0 || strcmp(text, expected) != 0)
        errx(1, "%s has '%s' in place of '%s'", path, text, expected);
    close(fd);
}

/* Rank 1 flushes all its streams while rank 0, which has the lock of one, waits for input. */
static void reading(const char *dir)
{
    char fifo[4096], path[4096];
    snprintf(fifo, sizeof fifo, "%s/fifo", dir);
    snprintf(path, sizeof path, "%s/reading", dir);
    if (rank == 0) {
        FILE *in = fopen(fifo, "r");
        flockfile(in);
        MPI_Barrier(MPI_COMM_WORLD);
        if (getc(in) != 'x')
            errx(1, "rank 0 read something else");
        funlockfile(in);
        fclose(in);
        return;
    }
    int to = open(fifo, O_WRONLY);
    FILE *f = fopen(path, "a"), *wide = fopen(path, "a");
    if (to < 0 || !f || !wide || !freopen(path, "a", stdout))
        err(1, "%s or %s", fifo, path);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("1 ");
    if (fflush(NULL) != 0)
        err(1, "fflush(NULL)");
    fprintf(f, "2 ");
    fflush(NULL);
    fputws(L"3 ", wide);
    fflush(NULL);
    check_file(path, "1 2 3 ");
    printf("4");
    fflush(NULL);
    check_file(path, "1 2 3 4");
    if (write(to, "x", 1) != 1)
        err(1, "%s", fifo);
}

/* Rank 1 ends the job while rank 0 keeps the lock of a younger stream. What rank 1 wrote is there. */
static void failing(const char *dir)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/failing", dir);
    FILE *f = rank == 1 ? fopen(path, "w") : NULL;
    if (f)
        fprintf(f, "written");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        flockfile(fopen("/dev/zero", "r"));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void complaints(void)
{
    errno = ENOENT;
    perror("perror");
    warnx("warn %s", "x");
    fprintf(stderr, "a line ");
    fprintf(stderr, "of %d\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        assert(rank == 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void run(const char *how, const char *dir)
{
    if (strcmp(how, "parts") == 0)
        parts(stdout);
    else if (strcmp(how, "errors") == 0)
        parts(stderr);
    else if (strcmp(how, "characters") == 0)
        characters();
    else if (strcmp(how, "long") == 0)
        long_lines();
    else if (strcmp(how, "files") == 0)
        own_files(dir);
    else if (strcmp(how, "wide") == 0)
        wide();
    else if (strcmp(how, "apart") == 0)
        apart();
    else if (strcmp(how, "locked") == 0)
        locked();
    else if (strcmp(how, "forks") == 0)
        forks();
    else if (strcmp(how, "reading") == 0)
        reading(dir);
    else if (strcmp(how, "failing") == 0)
        failing(dir);
    else if (strcmp(how, "complaints") == 0)
        complaints();
    else if (strcmp(how, "open") == 0)
        printf("end of %d", rank); /* and no newline */
    else
        errx(1, "%s: no such way", how);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    run(argv[1], argv[2]);
    MPI_Finalize();
    return 0;
}
