/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Large variables, constants and code: each rank has its own variables with the values of the file, and what no rank changes is
 * one in memory. The argument is "shared", or "own" for a program with an indirect function (-DINDIRECT): the dynamic linker
 * calls its resolver, so its copies are written whole at first.
 */
#include <dlfcn.h>
#include <string.h>

#include "check.h"

enum { MANY = 1 << 18, MIDDLE = MANY / 2, POINTERS = 1 << 15 };

static double changed[MANY] = {1, 2, [MIDDLE] = 3, [MANY - 1] = 4};
double untouched[MANY] = {5, [MIDDLE] = 6, [MANY - 1] = 7};
static const float constants[MANY] = {8, [MANY - 1] = 9};
static int zero[MANY];
/* relocations here and there, with pages between that have none */
static struct {
    const char *text;
    long numbers[1 << 13];
} mixed[16] = {[0] = {"first", {1}}, [7] = {"seventh", {[4000] = 7}}, [15] = {NULL, {[(1 << 13) - 1] = 15}}};
static double *pointers[POINTERS] = {&changed[0], [POINTERS - 1] = &changed[MANY - 1]};
static _Thread_local long per_thread[1 << 10] = {10, [1023] = 11};

__asm__(".text\n.globl much_code\n.type much_code,@function\nmuch_code: .fill 4000000,1,0x90\nret\n.size much_code,.-much_code\n");
extern void much_code(void);

#ifdef INDIRECT
static int answer(void)
{
    return constants[0] == 8 ? 42 : 0;
}

static int (*find_answer(void))(void)
{
    return untouched[MIDDLE] == 6 && constants[MANY - 1] == 9 ? answer : NULL;
}

int indirect(void) __attribute__((ifunc("find_answer")));
#else
static int indirect(void)
{
    return 42;
}
#endif

/* What is mapped of the files of copies: KB of this process. -1: it is not known, or tools want them whole. */
static long copies(void)
{
    char line[512];
    long all = 0, kb;
    int in = 0;
    FILE *f = dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") ? NULL : fopen("/proc/self/smaps", "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        if (strstr(line, "-") && strchr(line, '-') < strchr(line, ' '))
            in = strstr(line, "/memfd:pages") != NULL;
        if (in && sscanf(line, "Size: %ld", &kb) == 1)
            all += kb;
    }
    fclose(f);
    return all;
}

static void check_values(double first)
{
    volatile int i = MIDDLE; /* not known to the compiler */
    CHECK(changed[0] == first && changed[1] == 2 && changed[i] == 3 && changed[i + 1] == 0 && changed[2 * i - 1] == 4);
    CHECK(untouched[0] == 5 && untouched[i] == 6 && untouched[2 * i - 1] == 7);
    CHECK(constants[0] == 8 && constants[2 * i - 1] == 9 && zero[i] == 0 && zero[2 * i - 1] == 0);
    CHECK(strcmp(mixed[0].text, "first") == 0 && mixed[0].numbers[0] == 1 && strcmp(mixed[7].text, "seventh") == 0);
    CHECK(mixed[7].numbers[4000] == 7 && mixed[15].numbers[(1 << 13) - 1] == 15 && !mixed[15].text);
    CHECK(*pointers[0] == first && *pointers[POINTERS - 1] == 4 && !pointers[1]);
    CHECK(per_thread[0] == 10 && per_thread[1023] == 11);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_values(1);
    meet();
    changed[0] = 100 + rank;
    mixed[3].numbers[5000] = rank;
    zero[MIDDLE + 1] = rank;
    much_code();
    meet();
    check_values(100 + rank);
    CHECK(mixed[3].numbers[5000] == rank && zero[MIDDLE + 1] == rank && indirect() == 42);
    long kb = copies();
    if (argc > 1 && strcmp(argv[1], "shared") == 0 && kb >= 0)
        CHECK(kb / size < 200);
    return end();
}
