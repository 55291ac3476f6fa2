/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saved from the stack pointer up: mxcsr and x87 control word (8 bytes), r15 r14 r13 r12 rbx rbp, return address.
 * Loading the control words costs more than comparing them; the sticky exception flags, mxcsr's lowest six bits, are left
 * to add up for the thread, as they do without tasks. Shadow stacks are not switched, so this file
 * is compiled without the mark that would enable them.
 */
#include "crt/fiber/context.h"

#include <stdint.h>
#include <string.h>

__asm__(".text\n"
        ".p2align 4\n"
        ".globl context_switch\n"
        ".hidden context_switch\n"
        ".type context_switch, @function\n"
        "context_switch:\n"
        ".cfi_startproc\n"
        "    pushq %rbp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset rbp, 0\n"
        "    pushq %rbx\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset rbx, 0\n"
        "    pushq %r12\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset r12, 0\n"
        "    pushq %r13\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset r13, 0\n"
        "    pushq %r14\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset r14, 0\n"
        "    pushq %r15\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    .cfi_rel_offset r15, 0\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    movl (%rsp), %eax\n"
        "    movzwl 4(%rsp), %ecx\n"
        "    movq %rsp, (%rdi)\n"
        "    movq (%rsi), %rsp\n"
        "    xorl (%rsp), %eax\n"
        "    testl $0xffc0, %eax\n"
        "    je 1f\n"
        "    ldmxcsr (%rsp)\n"
        "1:  cmpw 4(%rsp), %cx\n"
        "    je 2f\n"
        "    fldcw 4(%rsp)\n"
        "2:  addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r15\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r14\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r13\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %r12\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rbx\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rbp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size context_switch, .-context_switch\n"

        /* Where a new flow begins: r12 is its argument, r13 its function. Stack walks end here. */
        ".globl context_begin\n"
        ".hidden context_begin\n"
        ".type context_begin, @function\n"
        "context_begin:\n"
        ".cfi_startproc\n"
        "    .cfi_undefined rip\n"
        "    movq %r12, %rdi\n"
        "    callq *%r13\n"
        "    ud2\n"
        ".cfi_endproc\n"
        ".size context_begin, .-context_begin\n");

void context_begin(void);

enum { CONTROL, R15, R14, R13, R12, RBX, RBP, RETURN, WORDS };

/* The control words of the caller, as they are saved. */
static uint64_t context_x86_64_control(void)
{
    uint32_t mxcsr;
    uint16_t x87;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr), "=m"(x87));
    return mxcsr | (uint64_t)x87 << 32;
}

void context_renew(struct context *c)
{
    *(uint64_t *)c->sp = context_x86_64_control();
}

void context_make(struct context *c, void *low, size_t size, void (*entry)(void *), void *arg)
{
    /* The stack pointer has to be a multiple of 16 when context_begin calls. */
    uintptr_t top = ((uintptr_t)low + size) & ~(uintptr_t)15;
    uint64_t *words = (uint64_t *)top - WORDS;
    memset(words, 0, WORDS * sizeof *words);
    words[CONTROL] = context_x86_64_control();
    words[R12] = (uintptr_t)arg;
    words[R13] = (uintptr_t)entry;
    words[RETURN] = (uintptr_t)context_begin;
    c->sp = words;
}
