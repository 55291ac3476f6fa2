/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that takes this one's place gets the image's environment. */
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "image/image.h"

WEAK int execv(const char *path, char *const argv[])
{
    return execve(path, argv, environ);
}

WEAK int execvp(const char *file, char *const argv[])
{
    return execvpe(file, argv, environ);
}

/* Words up to the NULL, with the first. */
static size_t exec_count(va_list words)
{
    size_t n = 1;
    while (va_arg(words, char *))
        n++;
    return n;
}

static void exec_fill(char **argv, const char *first, size_t n, va_list words)
{
    argv[0] = (char *)first;
    for (size_t i = 1; i <= n; i++)
        argv[i] = va_arg(words, char *);
}

WEAK int execl(const char *path, const char *first, ...)
{
    va_list words;
    va_start(words, first);
    size_t n = exec_count(words);
    va_end(words);
    char *argv[n + 1];
    va_start(words, first);
    exec_fill(argv, first, n, words);
    va_end(words);
    return execve(path, argv, environ);
}

WEAK int execlp(const char *file, const char *first, ...)
{
    va_list words;
    va_start(words, first);
    size_t n = exec_count(words);
    va_end(words);
    char *argv[n + 1];
    va_start(words, first);
    exec_fill(argv, first, n, words);
    va_end(words);
    return execvpe(file, argv, environ);
}

/* The environment comes behind the words. */
WEAK int execle(const char *path, const char *first, ...)
{
    size_t n = 1;
    va_list words;
    va_start(words, first);
    while (va_arg(words, char *))
        n++;
    char *const *with = va_arg(words, char *const *);
    va_end(words);
    char *argv[n + 1];
    va_start(words, first);
    exec_fill(argv, first, n, words);
    va_end(words);
    return execve(path, argv, with);
}
