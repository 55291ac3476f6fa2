/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/fiber/exec_context.h"

#include <string.h>

#include "base/base.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high), 0)
#endif

#define WEAK __attribute__((weak, visibility("default")))
WEAK void __sanitizer_start_switch_fiber(void **fake, const void *low, size_t size);
WEAK void __sanitizer_finish_switch_fiber(void *fake, const void **low, size_t *size);
WEAK void *__tsan_get_current_fiber(void);
WEAK void *__tsan_create_fiber(unsigned flags);
WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);
WEAK struct exceptions *__cxa_get_globals(void);

void exec_context_stack(void *low, size_t size)
{
    (void)VALGRIND_STACK_REGISTER(low, (char *)low + size);
}

void exec_context_make(struct exec_context *f, void *low, size_t size, void (*entry)(void *), void *arg)
{
    memset(f, 0, sizeof *f);
    f->low = low;
    f->size = size;
    if (__tsan_create_fiber)
        f->tsan = __tsan_create_fiber(0);
    exec_context_stack(low, size);
    context_make(&f->context, low, size, entry, arg);
}

void exec_context_adopt(struct exec_context *f)
{
    memset(f, 0, sizeof *f);
    if (__tsan_get_current_fiber)
        f->tsan = __tsan_get_current_fiber();
}

static void *(*_Atomic others)(void); /* NULL: there are none */

void exec_context_exceptions_from(void *(*here)(void))
{
    store_release(&others, here);
}

struct exceptions *exec_context_exceptions(void)
{
    void *(*here)(void) = load_acquire(&others);
    struct exceptions *e = here ? here() : NULL;
    return e || !__cxa_get_globals ? e : __cxa_get_globals();
}

void exec_context_switch(struct exec_context *from, struct exec_context *to, struct exceptions *e)
{
    to->by = from;
    if (e) {
        from->exceptions = *e;
        *e = to->exceptions;
    }
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&from->fake, to->low, to->size);
    if (__tsan_switch_to_fiber)
        __tsan_switch_to_fiber(to->tsan,
                               0); /* in one function with the switch: it counts calls and returns */
    context_switch(&from->context, &to->context);
    if (__sanitizer_finish_switch_fiber) /* tells the stack that was left, which a scheduler does not know of its own */
        __sanitizer_finish_switch_fiber(from->fake, &from->by->low, &from->by->size);
}

void exec_context_begin(struct exec_context *f)
{
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(NULL, &f->by->low, &f->by->size);
}

/* ---- More stack for a context ---- */

struct exec_call {
    struct context caller, called;
    const void *low; /* the caller's stack */
    size_t size;
    void (*fn)(void *);
    void *arg;
};

/* Never returns, which the thread sanitizer would miss. */
__attribute__((no_sanitize("thread"))) static void begin_call(void *arg)
{
    struct exec_call *c = arg;
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
    c->fn(c->arg);
    context_renew(&c->caller);
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(NULL, c->low, c->size);
    context_switch(&c->called, &c->caller);
}

void exec_context_call(struct exec_context *f, void *low, size_t size, void (*fn)(void *), void *arg)
{
    struct exec_call c = {.low = f->low, .size = f->size, .fn = fn, .arg = arg};
    void *fake = NULL;
    context_make(&c.called, low, size, begin_call, &c);
    f->low = low;
    f->size = size;
    if (__sanitizer_start_switch_fiber)
        __sanitizer_start_switch_fiber(&fake, low, size);
    context_switch(&c.caller, &c.called);
    if (__sanitizer_finish_switch_fiber)
        __sanitizer_finish_switch_fiber(fake, NULL, NULL);
    f->low = c.low;
    f->size = c.size;
}
