/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/wait.h"

static void write_line(const char *kind, const char *format, va_list args)
{
    char line[1024];
    int n = snprintf(line, sizeof line, "ep: %s: ", kind);
    int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, args);
    size_t len = (size_t)n + (m < 0 ? 0 : (size_t)m);
    if (len > sizeof line - 2)
        len = sizeof line - 2;
    line[len] = '\n';
    if (write(STDERR_FILENO, line, len + 1) < 0)
        return; /* nowhere left to complain */
}

void log_warning(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line("warning", format, args);
    va_end(args);
}

void log_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line("error", format, args);
    va_end(args);
}

_Noreturn void log_no_memory(const char *what)
{
    log_error("no memory for %s", what);
    abort();
}

void log_text(const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        ssize_t n = write(STDERR_FILENO, text, left);
        if (n <= 0)
            return;
        text += n;
        left -= (size_t)n;
    }
}

static bool pipe_is_read(int fd)
{
    struct stat about;
    int unread;
    return fstat(fd, &about) != 0 || !S_ISFIFO(about.st_mode) || ioctl(fd, FIONREAD, &unread) != 0 || unread == 0;
}

static bool readers_look(void *until)
{
    return (pipe_is_read(STDOUT_FILENO) && pipe_is_read(STDERR_FILENO)) || clock_ns() > *(uint64_t *)until;
}

void log_await_readers(void)
{
    uint64_t until = clock_ns() + 1000000000;
    wait_for(readers_look, &until, POLICY_READERS);
}
