/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked into every program that epcc makes. Started as a command, the program becomes `eprun -t
 * $EP_THREADS program arguments`.
 */
#include <dlfcn.h>
#include <ep.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

#define SPACE 4 /* words that go in front of the program's command line */

#define HIDDEN __attribute__((visibility("hidden")))

#ifdef LOADER
/* A shared object with this section can be started; elsewhere it needs eprun in front. */
static const char loader[] __attribute__((section(".interp"), used)) = LOADER;
#endif

HIDDEN _Noreturn void ep_image_start(void);
HIDDEN void ep_image_end(int status);
__attribute__((visibility("default"))) void ep_image_finish(int status);

/* For eprun, when the endpoint has called exit(). Libraries have ep_image_mark for this. */
void ep_image_finish(int status)
{
    ep_image_end(status);
}

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

/* argv ends with NULL, and has room for more before its first word, which is the program as it was typed. */
static _Noreturn void start(char **argv)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    const char *name = argv[0], *threads = getenv("EP_THREADS");
    if (n > 0)
        argv[0] = path;
    *--argv = "--";
    *--argv = (char *)(threads && *threads ? threads : "1");
    *--argv = "-t";
    *--argv = "eprun";
    if (getenv("EPRUN"))
        execvp(getenv("EPRUN"), argv);
    become_near_library(argv);
    execv(EP_BINDIR "/eprun", argv);
    execvp("eprun", argv);
    dprintf(STDERR_FILENO, "%s: eprun, which runs this program, is not found; EPRUN can name it\n", name);
    _exit(127);
}

/* The words of the command line, each with its 0; *size: their length. */
static char *read_words(size_t *size)
{
    char *words = NULL;
    ssize_t n = 1;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    for (*size = 0; fd >= 0 && n > 0; *size += (size_t)n) {
        words = realloc(words, *size + 65536);
        n = words ? read(fd, words + *size, 65536) : 0;
        if (n < 0)
            break;
    }
    return words;
}

/* The ELF entry. No constructor has run, for the dynamic linker leaves an executable's to its own start
 * code; the stack is as the kernel made it, which is not as functions expect it everywhere. */
#if defined __x86_64__ || defined __i386__
__attribute__((force_align_arg_pointer))
#endif
_Noreturn void
ep_image_start(void)
{
    size_t size, n = SPACE;
    char ***all =
        dlsym(RTLD_DEFAULT, "environ"); /* the process's; the image's own is empty without constructors */
    environ = all ? *all : NULL;
    char *words = read_words(&size);
    char **argv = words ? calloc(size + SPACE + 2, sizeof *argv) : NULL;
    if (!argv)
        _exit(127);
#ifdef LOADER
    __asm__ volatile("" ::"r"(loader)); /* the linker must not take it for unused */
#endif
    for (size_t i = 0; i < size; i += strlen(words + i) + 1)
        argv[n++] = words + i;
    start(argv + SPACE);
}
