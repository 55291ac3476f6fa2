/* SPDX-License-Identifier: BSD-3-Clause */
/* waiting.c: what waits for tasks that block, or is held by them: taskwait, taskgroup, dependences, critical, events. */
#include "tasks.h"

#include <errno.h>
#include <stdatomic.h>

/* taskwait waits for children that blocked, those made before and after a block, and not for grandchildren. */
static void taskwait(void)
{
    static crt_cond_t conds[4];
    static atomic_int done, late;
    atomic_store(&done, 0);
    atomic_store(&late, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            {
                crt_wait(&conds[0]);
                atomic_fetch_add(&done, 1);
            }
            crt_wait(&conds[1]);
#pragma omp task
            {
                atomic_fetch_add(&done, 1);
#pragma omp task
                {
                    crt_wait(&conds[2]);
                    atomic_fetch_add(&late, 1);
                }
            }
#pragma omp taskwait
            CHECK(atomic_load(&done) == 2);
            CHECK(atomic_load(&late) == 0);
            crt_signal(&conds[2]);
        }
#pragma omp task
        crt_signal(&conds[1]);
#pragma omp task
        {
            crt_wait(&conds[3]);
            crt_signal(&conds[0]);
        }
#pragma omp task
        crt_signal(&conds[3]);
#pragma omp taskwait
        CHECK(atomic_load(&done) == 2);
    }
    CHECK(atomic_load(&late) == 1);
}

/* taskgroup waits for descendants; an outsider that it needs is blocked for a while. */
static void taskgroup(void)
{
    static crt_cond_t conds[3];
    static atomic_int members;
    atomic_store(&members, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            crt_wait(&conds[0]);
            crt_signal(&conds[1]);
        }
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp task
                {
#pragma omp task
                    {
                        crt_wait(&conds[1]);
                        atomic_fetch_add(&members, 1);
                    }
                    crt_signal(&conds[0]);
                    atomic_fetch_add(&members, 1);
                }
                atomic_fetch_add(&members, 1);
            }
        }
        CHECK(atomic_load(&members) == 3);
    }
}

/* Dependences hold while those that are waited for are blocked. */
static void depend(void)
{
    static crt_cond_t conds[4];
    static int data[4];
    data[0] = data[1] = data[2] = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : data[0])
        {
            crt_wait(&conds[0]);
            data[0] = 1;
        }
#pragma omp task depend(in : data[0]) depend(out : data[1])
        {
            crt_wait(&conds[1]);
            CHECK(data[0] == 1);
            data[1] = 2;
        }
#pragma omp task depend(in : data[0]) depend(out : data[2])
        {
            CHECK(data[0] == 1);
            data[2] = 3;
        }
#pragma omp task depend(inout : data[0])
        {
            CHECK(data[1] == 2 && data[2] == 3);
            data[0] = 4;
        }
#pragma omp task
        crt_signal(&conds[1]);
#pragma omp task
        crt_signal(&conds[0]);
#pragma omp task if (0) depend(in : data[0])
        CHECK(data[0] == 4);
#pragma omp task depend(out : data[3])
        {
            crt_wait(&conds[2]);
            data[3] = 5;
        }
#pragma omp task
        crt_signal(&conds[2]);
#pragma omp taskwait depend(in : data[3])
        CHECK(data[3] == 5);
    }
}

/* An undeferred task that blocks takes its creator along, not the thread. */
static void undeferred(void)
{
    static crt_cond_t conds[2];
    static int steps[4], n;
    n = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task if (0)
            {
                crt_wait(&conds[0]);
                steps[n++] = 1;
            }
            steps[n++] = 2;
        }
#pragma omp task
        crt_signal(&conds[0]);
#pragma omp task final(1)
        {
#pragma omp task
            {
                crt_wait(&conds[1]);
                CHECK(omp_in_final());
            }
        }
#pragma omp task
        crt_signal(&conds[1]);
    }
    CHECK(n == 2 && steps[0] == 1 && steps[1] == 2);
}

/* critical around a wait: others of the same thread want it meanwhile. */
static void critical(void)
{
    static crt_cond_t cond;
    static int in_it, most, n;
    n = most = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
#pragma omp critical(name)
            {
                most = ++in_it > most ? in_it : most;
                if (i == 0)
                    crt_wait(&cond);
                n++;
                in_it--;
            }
        }
#pragma omp task
        crt_signal(&cond);
    }
    CHECK(n == 20 && most == 1);
}

/* One task begins to wait for a lock while another's try lets it run, and gets the lock after that. When both are over, a
 * third waits for a lock whose holder is in an outer one of the thread's suspended waits, for a task not yet begun. */
static void trying(void)
{
    static crt_cond_t held, try, retry, had;
    static omp_lock_t lock;
    static atomic_int wants, done;
    atomic_store(&wants, 0);
    atomic_store(&done, 0);
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            omp_set_lock(&lock);
            crt_signal(&held);
            crt_wait(&retry);
            omp_unset_lock(&lock);
        }
#pragma omp task
        {
            crt_wait(&try);
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
            crt_signal(&had);
        }
#pragma omp task
        {
            crt_wait(&held);
            crt_signal(&try);
            CHECK(!omp_test_lock(&lock));
            crt_signal(&retry);
            crt_wait(&had);
        }
#pragma omp taskwait
#pragma omp task
        {
            omp_set_lock(&lock);
#pragma omp task
            {
#pragma omp task
                {
                    atomic_store(&wants, 1);
                    omp_set_lock(&lock);
                    omp_unset_lock(&lock);
                    atomic_fetch_add(&done, 1);
                }
#pragma omp taskwait
            }
            while (!atomic_load(&wants))
                crt_yield();
#pragma omp taskgroup
            {
#pragma omp task
                atomic_fetch_add(&done, 1);
            }
            omp_unset_lock(&lock);
        }
    }
    CHECK(atomic_load(&done) == 2);
    omp_destroy_lock(&lock);
}

/* A task with events completes when they are fulfilled. */
static void events(void)
{
    static crt_task_t bound[2];
    static omp_event_handle_t handle[1];
    static crt_cond_t cond;
    static int data[2];
    static atomic_int ended;
    data[0] = data[1] = 0;
    atomic_store(&ended, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : data[0])
        {
            bound[0] = crt_bind();
            bound[1] = crt_bind();
            atomic_fetch_add(&ended, 1);
        }
        omp_event_handle_t h;
#pragma omp task detach(h) depend(out : data[1])
        atomic_fetch_add(&ended, 1);
        handle[0] = h;
#pragma omp task depend(in : data[0], data[1])
        {
            CHECK(data[0] == 1);
            crt_signal(&cond);
        }
        while (atomic_load(&ended) < 2)
            crt_yield();
        crt_release(bound[0]);
        omp_fulfill_event(handle[0]);
        crt_yield();
        data[0] = 1;
        crt_release(bound[1]);
        crt_wait(&cond);
    }
    CHECK(crt_bind() == NULL);
}

/* Who fulfils an event need not descend from who waits for the task that has it. */
static void unrelated(void)
{
    static crt_task_t bound[1];
    static omp_event_handle_t handle[1];
    static atomic_int begun, waited;
    atomic_store(&begun, 0);
    atomic_store(&waited, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
#pragma omp task
            {
                bound[0] = crt_bind();
                atomic_fetch_add(&begun, 1);
            }
#pragma omp taskwait
            CHECK(atomic_fetch_add(&waited, 1) > 0);
        }
#pragma omp task
        {
            while (atomic_load(&begun) < 1)
                crt_yield();
            atomic_fetch_add(&waited, 1);
            crt_release(bound[0]);
        }
#pragma omp taskwait
        CHECK(atomic_load(&waited) == 2);
#pragma omp task
#pragma omp taskgroup
        {
            omp_event_handle_t h;
#pragma omp task detach(h)
            atomic_fetch_add(&begun, 1);
            handle[0] = h;
            atomic_fetch_add(&begun, 1);
        }
#pragma omp task
        {
            while (atomic_load(&begun) < 3)
                crt_yield();
            omp_fulfill_event(handle[0]);
        }
    }
}

/* errno is a task's own, wherever it is suspended. */
static void keep_errno(int own, crt_cond_t *first, crt_cond_t *second)
{
    errno = own;
    crt_wait(first);
    CHECK(errno == own);
#pragma omp taskyield
    CHECK(errno == own);
#pragma omp task
    errno = 2000 + own;
#pragma omp taskwait
    CHECK(errno == own);
#pragma omp taskgroup
    {
#pragma omp task
        errno = 3000 + own;
    }
    CHECK(errno == own);
#pragma omp critical(keeping)
    {
        crt_yield();
        CHECK(errno == own);
    }
    crt_signal(second);
}

static void errors(void)
{
    enum { N = 20 };
    static crt_cond_t conds[N + 1];
#pragma omp parallel
    {
        errno = 1000 + omp_get_thread_num();
#pragma omp single nowait
        {
            for (int i = 0; i < N; i++)
#pragma omp task
                keep_errno(i + 1, &conds[i], &conds[i + 1]);
            crt_signal(&conds[0]);
#pragma omp taskwait
        }
#pragma omp barrier
        CHECK(errno == 1000 + omp_get_thread_num());
    }
    crt_wait(&conds[N]);
}

static const struct test tests[] = {
    {"taskwait", taskwait},
    {"taskgroup", taskgroup},
    {"depend", depend},
    {"undeferred", undeferred},
    {"critical", critical},
    {"trying", trying},
    {"events", events},
    {"unrelated", unrelated},
    {"errors", errors},
};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
