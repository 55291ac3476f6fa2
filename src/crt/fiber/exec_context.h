/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An execution context: a flow of control as checkers and the C++ run-time see it, and the switch between two.
 * Their functions are weak symbols: a library that was built plainly tells them all the same if the program was
 * built with one.
 */
#ifndef EP_CRT_EXEC_CONTEXT_H
#define EP_CRT_EXEC_CONTEXT_H

#include <stddef.h>

#include "crt/fiber/context.h"

/* What the C++ run-time keeps for a thread and means for a context (__cxa_eh_globals). */
struct exceptions {
    void *caught;
    unsigned uncaught;
};

/* One per fiber, and one per scheduler for the stack that it runs on. */
struct exec_context {
    struct context context;
    const void *low; /* the stack; of a scheduler's it is known after the first switch */
    size_t size;
    void *fake;                   /* ASan's second stack, while it is not running */
    void *tsan;                   /* TSan's fiber */
    struct exec_context *by;      /* who switched to it last */
    struct exceptions exceptions; /* while it is not running */
};

/* A checker is told of this stack. */
void exec_context_stack(void *low, size_t size);
/* A new context that begins with entry(arg) on this stack. */
void exec_context_make(struct exec_context *f, void *low, size_t size, void (*entry)(void *), void *arg);
/* A context for what the caller is running. */
void exec_context_adopt(struct exec_context *f);
/* The calling thread's exceptions, or NULL without C++. */
struct exceptions *exec_context_exceptions(void);
/* From now on ask this function for them first, which may give NULL: parts of the program have a C++ run-time of their own. */
void exec_context_exceptions_from(void *(*here)(void));

/* Go on with `to`. e: exec_context_exceptions() of the thread. */
void exec_context_switch(struct exec_context *from, struct exec_context *to, struct exceptions *e);
/* Call fn(arg) on another stack, as part of the running context f. */
void exec_context_call(struct exec_context *f, void *low, size_t size, void (*fn)(void *), void *arg);
/* The first that a new context does. */
void exec_context_begin(struct exec_context *f);

#endif
