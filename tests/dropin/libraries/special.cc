/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with what the dynamic linker treats in its own ways: a variable that is one in a process (STB_GNU_UNIQUE),
 * a function that is chosen when it is loaded (STT_GNU_IFUNC), thread-local variables at fixed places (initial-exec),
 * a version, static objects. */
#include <cstdio>

template <typename T> struct Numbers {
    static int last;
    static int next()
    {
        static int calls;
        return ++last == ++calls ? last : -1;
    }
};
template <typename T> int Numbers<T>::last;

struct Ends {
    ~Ends() { printf("ends after %d\n", Numbers<int>::last); }
};
static Ends ends;

static thread_local int mine __attribute__((tls_model("initial-exec"))) = 5;

extern "C" {
int counter_next(void);
void counter_crash(const char *how);

static int next(void)
{
    return mine++ == 5 ? Numbers<int>::next() : -1;
}

static int (*choose(void))(void)
{
    return next;
}

int counter_next(void) __attribute__((ifunc("choose")));

void counter_crash(const char *) {}
}
