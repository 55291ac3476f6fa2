/* SPDX-License-Identifier: BSD-3-Clause */
/* Saved from the stack pointer up: x19 ... x30, d8 ... d15, fpcr, one word unused. */
#include "crt/fiber/context.h"

#include <stdint.h>
#include <string.h>

__asm__(".text\n"
        ".p2align 4\n"
        ".globl context_switch\n"
        ".hidden context_switch\n"
        ".type context_switch, %function\n"
        "context_switch:\n"
        ".cfi_startproc\n"
        "    sub sp, sp, #176\n"
        "    .cfi_adjust_cfa_offset 176\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    .cfi_rel_offset x29, 80\n"
        "    .cfi_rel_offset x30, 88\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mrs x9, fpcr\n"
        "    str x9, [sp, #160]\n"
        "    mov x10, sp\n"
        "    str x10, [x0]\n"
        "    ldr x10, [x1]\n"
        "    mov sp, x10\n"
        "    ldr x11, [sp, #160]\n"
        "    cmp x9, x11\n"
        "    b.eq 1f\n"
        "    msr fpcr, x11\n"
        "1:  ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #176\n"
        "    .cfi_adjust_cfa_offset -176\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size context_switch, .-context_switch\n"

        /* Where a new flow begins: x19 is its argument, x20 its function. Stack walks end here. */
        ".globl context_begin\n"
        ".hidden context_begin\n"
        ".type context_begin, %function\n"
        "context_begin:\n"
        ".cfi_startproc\n"
        "    .cfi_undefined x30\n"
        "    mov x0, x19\n"
        "    blr x20\n"
        "    brk #1\n"
        ".cfi_endproc\n"
        ".size context_begin, .-context_begin\n");

void context_begin(void);

enum { X19 = 0, X20 = 1, X30 = 11, FPCR = 20, WORDS = 22 };

void context_renew(struct context *c)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    ((uint64_t *)c->sp)[FPCR] = fpcr;
}

void context_make(struct context *c, void *low, size_t size, void (*entry)(void *), void *arg)
{
    uintptr_t top = ((uintptr_t)low + size) & ~(uintptr_t)15;
    uint64_t *words = (uint64_t *)top - WORDS;
    memset(words, 0, WORDS * sizeof *words);
    words[X19] = (uintptr_t)arg;
    words[X20] = (uintptr_t)entry;
    words[X30] = (uintptr_t)context_begin;
    c->sp = words;
    context_renew(c);
}
