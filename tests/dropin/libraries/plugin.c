/* SPDX-License-Identifier: BSD-3-Clause */
/* Plug-ins of host.c, one for each macro. */
#include <stdio.h>

#ifdef ONE
extern int host_calls;
int host_rank(void);
void host_register(const char *name);
int plugin_rank(void);
int plugin_count(void);

static int count;
static int (*const by_pointer)(void) = host_rank;

__attribute__((constructor)) static void begin(void)
{
    host_register("one");
}

__attribute__((destructor)) static void end(void)
{
    printf("plug-in one ends after %d\n", count);
}

int plugin_rank(void)
{
    return host_calls == 0 ? by_pointer() : -1;
}

int plugin_count(void)
{
    return ++count;
}
#endif

#ifdef TWO
int host_rank(void);
int two_value(void);

int two_value(void)
{
    return 100 + host_rank();
}
#endif

#ifdef USER
int two_value(void);
int user_value(void);

int user_value(void)
{
    return two_value();
}
#endif

#ifdef NEEDS
int counter_next(void);
int needs_next(void);

int needs_next(void)
{
    return counter_next();
}
#endif
