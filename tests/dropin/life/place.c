/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank has a working directory and a umask; a child process that it makes ends without it. */
#include <mpi.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int is_here(const char *dir)
{
    char now[PATH_MAX];
    return getcwd(now, sizeof now) && strcmp(now, dir) == 0;
}

/* Its own file, as far as it can see, not that of the command that runs it. */
static int is_executable(const char *name)
{
    char file[PATH_MAX] = "";
    if (readlink("/proc/self/exe", file, sizeof file - 1) < 0)
        return 0;
    const char *a = strrchr(file, '/'), *b = strrchr(name, '/');
    return a && b && strcmp(a, b) == 0;
}

static void *is_here_in_thread(void *dir)
{
    return is_here(dir) ? dir : NULL;
}

static int child_status(int clean)
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0 && clean)
        exit(33);
    if (child == 0)
        _exit(33);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    char dir[PATH_MAX];
    int rank;
    void *found;
    pthread_t t;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(dir, sizeof dir, "%s/%d", argv[1], rank);
    if (mkdir(dir, 0777) != 0 || chdir(dir) != 0)
        perror(dir);
    umask((mode_t)(rank & 7));
    MPI_Barrier(MPI_COMM_WORLD);
    int ok = is_here(dir) && umask(0) == (mode_t)(rank & 7);
    pthread_create(&t, NULL, is_here_in_thread, dir);
    pthread_join(t, &found);
    ok = ok && found && is_executable(argv[0]);
    ok = ok && child_status(1) == 33 && child_status(0) == 33 && system("exit 5") >> 8 == 5;
    MPI_Barrier(MPI_COMM_WORLD);
    rmdir(dir);
    MPI_Finalize();
    puts(ok ? "own place" : "not its own place");
    return 0;
}
