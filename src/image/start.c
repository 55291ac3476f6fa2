/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked into every program that epcc makes. Started as a command, the program becomes `eprun --
 * program arguments`.
 */
#include <dlfcn.h>
#include <ep.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "image/image.h"

#ifdef __GLIBC__
#if defined __x86_64__ && defined __LP64__
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#elif defined __aarch64__ && defined __AARCH64EL__
#define LOADER "/lib/ld-linux-aarch64.so.1"
#elif defined __riscv && __riscv_xlen == 64 && defined __riscv_float_abi_double
#define LOADER "/lib/ld-linux-riscv64-lp64d.so.1"
#elif defined __powerpc64__ && _CALL_ELF == 2
#define LOADER "/lib64/ld64.so.2"
#endif
#endif

#define SPACE 2       /* words that go in front of the program's command line */
#define MOST_STARTS 3 /* one after the other: EPRUN may be a script that runs such programs, too */

#ifdef LOADER
/* A shared object with this section can be started; elsewhere it needs eprun in front. */
static const char loader[] __attribute__((section(".interp"), used)) = LOADER;
#endif

HIDDEN _Noreturn void ep_image_start(void);
HIDDEN void ep_image_end(int status);
__attribute__((visibility("default"))) void ep_image_finish(int status);

/* eprun belongs to the libep that the program has found: where both are installed, or both are built. */
static void become_near_library(char **argv)
{
    static const char *const places[] = {"/../bin/eprun", "/../../bin/eprun", "/eprun/eprun"};
    int (*function)(void) = ep_finalize;
    void *address;
    Dl_info info;
    memcpy(&address, &function, sizeof address);
    const char *slash = dladdr(address, &info) ? strrchr(info.dli_fname, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        char eprun[PATH_MAX];
        snprintf(eprun, sizeof eprun, "%.*s%s", (int)(slash - info.dli_fname), info.dli_fname, places[i]);
        execv(eprun, argv);
    }
}

static _Noreturn void start_refuse(int status, const char *name, const char *why)
{
    dprintf(STDERR_FILENO, "%s: %s\n", name, why);
    _exit(status);
}

/* eprun takes its mark away. If it is still there, what EPRUN or PATH call eprun has started a program
 * again. */
static void count_starts(const char *name)
{
    const char *before = getenv("EPRUN_STARTS");
    char now[16];
    int n = before ? atoi(before) : 0;
    if (n >= MOST_STARTS)
        start_refuse(126, name,
                     getenv("EPRUN") ? "EPRUN does not name eprun, but a program that needs it"
                                     : "what PATH has as eprun is not eprun, but a program that needs it");
    snprintf(now, sizeof now, "%d", n + 1);
    setenv("EPRUN_STARTS", now, 1);
}

/* Where the program is. Its name alone may lead elsewhere by now, and whoever starts it chooses that. */
static char *own_path(char *name)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n > 0)
        return path;
    if (getauxval(AT_SECURE))
        start_refuse(
            126, name,
            "/proc is not there, and a program with more rights than its user has must be found in it");
    const char *executed = (const char *)getauxval(AT_EXECFN);
    return executed ? (char *)executed : name;
}

/* argv ends with NULL, and has room for more before its first word, which is the program as it was typed.
 * With more rights than its user has the program does not ask the environment what to execute. */
static _Noreturn void start_under_eprun(char **argv)
{
    const char *named = secure_getenv("EPRUN");
    char *path = argv[0] = own_path(argv[0]);
    count_starts(path);
    *--argv = "--";
    *--argv = "eprun";
    if (named)
        execvp(named, argv);
    become_near_library(argv);
    execv(EP_BINDIR "/eprun", argv);
    if (!getauxval(AT_SECURE))
        execvp("eprun", argv);
    start_refuse(127, path, "eprun, which runs this program, is not found; EPRUN can name it");
}

/* The command line where the kernel has put it: the number of words, the words, NULL. */
static char **read_words(size_t *n)
{
    void **end =
        dlsym(RTLD_DEFAULT, "__libc_stack_end"); /* of the dynamic linker: the stack's when it began */
    *n = end ? *(size_t *)*end : 0;
    return *n > 0 ? (char **)*end + 1 : NULL;
}

/* The ELF entry. No constructor has run, for the dynamic linker leaves an executable's to its own start
 * code; the stack is as the kernel made it, which is not as functions expect it everywhere. */
#if defined __x86_64__ || defined __i386__
__attribute__((force_align_arg_pointer))
#endif
_Noreturn void
ep_image_start(void)
{
    size_t n;
    char ***all =
        dlsym(RTLD_DEFAULT, "environ"); /* the process's; the image's own is empty without constructors */
    environ = all ? *all : NULL;
    char **words = read_words(&n);
    char **argv = words ? calloc(n + SPACE + 1, sizeof *argv) : NULL;
    if (!argv)
        start_refuse(127, EP_BINDIR "/eprun",
                     words ? "no memory" : "a program without a name cannot be started");
#ifdef LOADER
    __asm__ volatile("" ::"r"(loader)); /* the linker must not take it for unused */
#endif
    memcpy(argv + SPACE, words, n * sizeof *argv);
    start_under_eprun(argv + SPACE);
}

/* ---- what each image shows to eprun ---- */

/* So the linker looks for main, in libraries as well, and says so where there is none. */
int main(int argc, char **argv);
extern int (*const ep_image_main)(int argc, char **argv);
int (*const ep_image_main)(int argc, char **argv) = main;

WEAK void *__cxa_get_globals(void);
void *ep_image_exceptions(void);

/* What eprun gives to a run-time system that is the endpoint's own, instead of libc's. */
extern char *(*const ep_image_getenv)(const char *name);
char *(*const ep_image_getenv)(const char *name) = getenv;
extern int (*const ep_image_system)(const char *command);
int (*const ep_image_system)(const char *command) = system;

/* What its C++ run-time knows of the calling thread's exceptions. */
void *ep_image_exceptions(void)
{
    return __cxa_get_globals ? __cxa_get_globals() : NULL;
}

/* main's third argument, after the image's constructors. */
char **ep_image_prepare(void);
char **ep_image_prepare(void)
{
    return environ;
}

/* When the endpoint has called exit(). Libraries have ep_image_mark for this. */
void ep_image_finish(int status)
{
    ep_image_end(status);
}
