/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An endpoint's program has ended when one of its threads has come to end(). That thread then sleeps, as do
 * all others that exit later, until the process ends: nothing that they have on their stacks goes away, as
 * with exit(). What else the program left running goes on, since a thread cannot be stopped from outside at
 * a safe place.
 */
#include "base/base.h"
#include "eprun/life.h"

#include <gnu/libc-version.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct quick {
    struct quick *next;
    void (*function)(void *);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static struct eprun_rank *all;
static int count;
static int remaining; /* endpoints that have not ended */
static pid_t process;

bool life_is_here(void)
{
    return self && getpid() == process;
}

bool life_is_in_child(void)
{
    return self && !life_is_here();
}

void end_flush(void)
{
    output_flush_all(all, count);
}

void end_process(int status)
{
    copy_clean();
    end_flush();
    watch_told();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

/* From 2.41 on, a thread inside libc's exit() keeps all others out, also the one that is to end the
 * process. */
static bool exit_is_exclusive(void)
{
    int major = 0, minor = 0;
    sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor);
    return major > 2 || (major == 2 && minor >= 41);
}

/* libc itself has called exit() (argp does), which does not come to eprun's. */
static void on_hidden_exit(int status, void *arg)
{
    (void)arg;
    if (!life_is_here())
        return;
    on_exit(on_hidden_exit, NULL); /* for the next one */
    if (status != 0 || !exit_is_exclusive())
        life_exit(status, true);
    message("the C library ended the process with status 0");
    end_process(EXIT_FAILURE);
}

void end_prepare(struct eprun_rank endpoints[], int n)
{
    all = endpoints;
    count = n;
    remaining = n;
    process = getpid();
    atexit(copy_clean);
    on_exit(on_hidden_exit, NULL);
}

void end_wait(void)
{
    pthread_mutex_lock(&lock);
    while (remaining > 0)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
}

static _Noreturn void sleep_for_ever(void)
{
    sigset_t set;
    sigfillset(&set);
    pthread_sigmask(SIG_SETMASK, &set, NULL);
    for (;;)
        pause();
}

static bool files_are_flushed(void *unused)
{
    bool busy;
    (void)unused;
    output_flush_streams(&busy);
    return !busy;
}

static void *flush_files(void *arg)
{
    wait_for(files_are_flushed, NULL, POLICY_END);
    return arg;
}

/* Files that the program left open get what was written to them, as by exit(). What they go to may take
 * nothing, so another thread does this, and is not waited for for long. */
void end_flush_files(void)
{
    pthread_t thread;
    struct timespec until;
    self = NULL; /* a thread of nobody's */
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    if (pthread_create(&thread, NULL, flush_files, NULL) == 0)
        pthread_timedjoin_np(thread, NULL, &until);
}

/* The job cannot go on. The lock stays taken: one endpoint speaks, and the others come to no end any more. */
static _Noreturn void end_fail(const struct eprun_rank *e, int status, bool clean)
{
    char who[128];
    end_flush();
    crash_say_who(who, sizeof who, e);
    self = NULL; /* the message names the endpoint in full */
    if (status != 0)
        message("%s exited with status %d", who, status);
    else
        message("%s ended without MPI_Finalize", who);
    if (clean)
        end_flush_files();
    intercept_fail(status ? status : EXIT_FAILURE);
}

static void end_rank(struct eprun_rank *e, int status, bool clean)
{
    output_flush(e);
    pthread_mutex_lock(&lock);
    if (!e->ended) {
        e->ended = true;
        e->status = status & 0xff;
        if (e->status != 0 || ep_rank_is_inside(e->mpi))
            end_fail(e, e->status, clean);
        if (--remaining == 0)
            pthread_cond_signal(&ended);
    }
    pthread_mutex_unlock(&lock);
}

/* May the calling thread do what exit() does? Again, if it is a function called by exit() that calls
 * exit(). */
static bool begin_to_finish(struct eprun_rank *e)
{
    pthread_mutex_lock(&lock);
    bool mine = !e->finishing || pthread_equal(e->finisher, pthread_self());
    e->finishing = true;
    if (mine)
        e->finisher = pthread_self();
    pthread_mutex_unlock(&lock);
    return mine;
}

static void end_finish(struct eprun_rank *e, int status)
{
    tls_exit_run();
    image_finish(e->image, status);
}

static _Noreturn void exit_child(struct eprun_rank *e, int status, bool clean)
{
    if (clean) {
        end_finish(e, status);
        output_flush(e);
    }
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

void life_exit(int status, bool clean)
{
    struct eprun_rank *e = self;
    if (life_is_in_child())
        exit_child(e, status, clean);
    if (clean) {
        if (!begin_to_finish(e))
            sleep_for_ever();
        end_finish(e, status);
        if ((status & 0xff) == 0)
            ep_rank_exits(e->mpi);
    }
    end_rank(e, status, clean);
    sleep_for_ever();
}

void life_thread_begins(struct eprun_rank *e)
{
    pthread_mutex_lock(&lock);
    e->threads++;
    pthread_mutex_unlock(&lock);
}

void life_thread_ended(struct eprun_rank *e)
{
    pthread_mutex_lock(&lock);
    bool last = --e->threads == 0;
    pthread_mutex_unlock(&lock);
    if (last && life_is_here())
        life_exit(EXIT_SUCCESS, true);
}

bool life_is_single_thread(void)
{
    pthread_mutex_lock(&lock);
    bool single = self->threads == 1;
    pthread_mutex_unlock(&lock);
    return single;
}

int life_at_quick_exit(void (*function)(void *))
{
    struct quick *q = malloc(sizeof *q);
    if (!q)
        return -1;
    pthread_mutex_lock(&lock);
    *q = (struct quick){self->quick, function};
    self->quick = q;
    pthread_mutex_unlock(&lock);
    return 0;
}

static struct quick *next_quick(void)
{
    pthread_mutex_lock(&lock);
    struct quick *q = self->quick;
    if (q)
        self->quick = q->next;
    pthread_mutex_unlock(&lock);
    return q;
}

void life_quick_exit(int status)
{
    for (struct quick *q = next_quick(); q; q = next_quick())
        q->function(NULL);
    life_exit(status, false);
}
