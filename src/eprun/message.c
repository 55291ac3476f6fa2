/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/eprun.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

_Thread_local struct endpoint *self;

/* One write, and no stdio: libc's stderr may be an endpoint's by now, and this also serves signal handlers. */
void message(const char *format, ...)
{
    char text[2048];
    va_list args;
    int n = self ? snprintf(text, sizeof text, "eprun: rank %d: ", self->rank)
                 : snprintf(text, sizeof text, "eprun: ");
    va_start(args, format);
    int m = vsnprintf(text + n, sizeof text - (size_t)n - 1, format, args);
    va_end(args);
    size_t length = (size_t)n + (m < 0 ? 0 : (size_t)m);
    if (length > sizeof text - 2)
        length = sizeof text - 2;
    text[length] = '\n';
    if (write(STDERR_FILENO, text, length + 1) < 0)
        return; /* nowhere left to complain */
}
