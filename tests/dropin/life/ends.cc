// SPDX-License-Identifier: BSD-3-Clause
// All ways to end, where everything that is called at the end says so. An endpoint must do the same as a process.
#include <argp.h>
#include <err.h>
#include <error.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>

static void say(const char *what)
{
    printf("%s\n", what);
    fflush(stdout);
}

struct noisy {
    const char *name;
    explicit noisy(const char *n)
        : name(n)
    {
        printf("make %s\n", name);
    }
    ~noisy() { printf("destroy %s\n", name); }
};

static noisy global("global");
thread_local noisy of_thread("thread_local");

__attribute__((destructor)) static void last()
{
    say("destructor function");
}

static const char *way = "";

__attribute__((constructor)) static void before(int argc, char **argv)
{
    say("constructor function");
    way = argc > 1 ? argv[1] : "return";
    if (strcmp(way, "constructor") == 0)
        exit(0);
}

static noisy &local()
{
    static noisy n("function static");
    return n;
}

static void second()
{
    say("atexit 2");
    if (strcmp(way, "twice") == 0)
        exit(0);
}

static void on_end(int status, void *arg)
{
    printf("on_exit %d %s\n", status, static_cast<const char *>(arg));
}

static void *exit_in_thread(void *)
{
    say(of_thread.name);
    exit(0);
}

static void deep(int n)
{
    noisy here("deep");
    volatile char space[1024];
    space[0] = static_cast<char>(n);
    if (n > 3)
        exit(0);
    deep(n + 1);
    say("never");
}

static void wait_and_say()
{
    noisy of_worker("worker");
    usleep(100000);
    say("worker ends");
}

static void end_by_thread()
{
    pthread_t t;
    pthread_create(&t, nullptr, exit_in_thread, nullptr);
    pthread_join(t, nullptr);
}

// libc exits from inside.
static void ask_for_help()
{
    static char name[] = "ends", help[] = "--help";
    char *words[] = {name, help, nullptr};
    struct argp a = {};
    argp_parse(&a, 2, words, 0, nullptr, nullptr);
}

static int end()
{
    if (strcmp(way, "deep") == 0)
        deep(0);
    else if (strcmp(way, "thread") == 0)
        end_by_thread();
    else if (strcmp(way, "_exit") == 0)
        _exit(0);
    else if (strcmp(way, "_Exit") == 0)
        _Exit(0);
    else if (strcmp(way, "quick_exit") == 0)
        quick_exit(0);
    else if (strcmp(way, "pthread_exit") == 0) {
        std::thread(wait_and_say).detach();
        pthread_exit(nullptr);
    } else if (strcmp(way, "status") == 0)
        exit(7);
    else if (strcmp(way, "large") == 0)
        return 256 + 9;
    else if (strcmp(way, "err") == 0)
        errx(4, "no %s", "luck");
    else if (strcmp(way, "error") == 0)
        error(5, 0, "no %s", "luck");
    else if (strcmp(way, "argp") == 0)
        ask_for_help();
    else if (strcmp(way, "abort") == 0)
        abort();
    else if (strcmp(way, "throw") == 0)
        throw 1;
    return 0;
}

int main()
{
    say("main");
    say(of_thread.name);
    say(local().name);
    atexit([] { say("atexit 1"); });
    atexit(second);
    static char text[] = "argument";
    on_exit(on_end, text);
    at_quick_exit([] { say("at_quick_exit 1"); });
    at_quick_exit([] { say("at_quick_exit 2"); });
    return end();
}
