/* SPDX-License-Identifier: BSD-3-Clause */
/* exceptions.cpp: tasks that block while they handle or pass on C++ exceptions do not see each other's. */
#include <crt.h>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

enum { TASKS = 40, DEPTH = 3 };

static crt_cond_t conds[TASKS][2 * DEPTH + 1];
static int failures;

static void fail(const char *what)
{
#pragma omp atomic
    failures++;
    std::fprintf(stderr, "%s\n", what);
}

/* Blocks within a destructor that runs because of an exception. */
struct blocks_at_end {
    crt_cond_t *cond;
    ~blocks_at_end()
    {
        if (std::uncaught_exceptions() != 1)
            fail("exceptions under way before the block");
        crt_wait(cond);
        if (std::uncaught_exceptions() != 1)
            fail("exceptions under way after the block");
    }
};

static void dive(int task, int depth)
{
    std::string mine = std::to_string(task) + "/" + std::to_string(depth);
    try {
        throw std::runtime_error(mine);
    } catch (const std::runtime_error &e) {
        crt_wait(&conds[task][2 * depth]);
        if (mine != e.what())
            fail("the caught exception is another task's");
        if (depth + 1 < DEPTH)
            dive(task, depth + 1);
        crt_wait(&conds[task][2 * depth + 1]);
        try {
            throw;
        } catch (const std::runtime_error &again) {
            if (mine != again.what())
                fail("the exception thrown again is another task's");
        }
    }
}

static void unwind(int task)
{
    try {
        blocks_at_end guard = {&conds[task][2 * DEPTH]};
        throw task;
    } catch (int number) {
        if (number != task)
            fail("the exception that passed a block is another task's");
    }
}

int main()
{
    alarm(100);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(i)
            {
                dive(i, 0);
                unwind(i);
            }
        }
        /* one level of all tasks after the other; tasks in an order that changes */
        for (int level = 0; level < DEPTH; level++)
            for (int k = 0; k < TASKS; k++)
                crt_signal(&conds[(7 * k + level) % TASKS][2 * level]);
        for (int level = DEPTH - 1; level >= 0; level--)
            for (int k = TASKS - 1; k >= 0; k--)
                crt_signal(&conds[(9 * k + level) % TASKS][2 * level + 1]);
        for (int k = 0; k < TASKS; k++)
            crt_signal(&conds[k][2 * DEPTH]);
    }
    return failures != 0;
}
