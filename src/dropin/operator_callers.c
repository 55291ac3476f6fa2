/* SPDX-License-Identifier: BSD-3-Clause */
/* 16 bytes each, where the instructions are known: as many functions of C would be ten times as large, with what is told of each to
 * debuggers and the linker. */
#include "dropin/operator_callers.h"

#include "base/base.h"

#define TEXT_OF(n) #n
#define REPEATED(n, instructions)                                                                            \
    __asm__(".pushsection .text.operator_callers, \"ax\", %progbits\n"                                       \
            ".p2align 4\n"                                                                                   \
            ".type operator_callers, %function\n"                                                            \
            "operator_callers:\n"                                                                            \
            ".set .Loperator_caller, 0\n"                                                                    \
            ".rept " TEXT_OF(n) "\n" instructions "\n"                                                       \
                                ".p2align 4\n"                                                               \
                                ".set .Loperator_caller, .Loperator_caller + 1\n"                            \
                                ".endr\n"                                                                    \
                                ".size operator_callers, . - operator_callers\n"                             \
                                ".popsection")
#define REPEAT(n, instructions) REPEATED(n, instructions)

#ifdef __x86_64__
REPEAT(OPERATOR_CALLERS, "endbr64\n movl $.Loperator_caller, %r8d\n jmp ep_operator_enter");
#elif OPERATOR_CALLERS > 256
REPEAT(OPERATOR_CALLERS, "hint #34\n mov w4, #.Loperator_caller\n b ep_operator_enter");
#endif

#if OPERATOR_CALLERS > 256
extern const char operator_callers[][16];

MPI_User_function *operator_caller(unsigned number)
{
    return (MPI_User_function *)(uintptr_t)operator_callers[number];
}
#else
#define SIXTEEN(what, n)                                                                                     \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7) what(n##8)       \
        what(n##9) what(n##a) what(n##b) what(n##c) what(n##d) what(n##e) what(n##f)
#define ALL(what)                                                                                            \
    SIXTEEN(what, 0x0)                                                                                       \
    SIXTEEN(what, 0x1)                                                                                       \
    SIXTEEN(what, 0x2)                                                                                       \
    SIXTEEN(what, 0x3)                                                                                       \
    SIXTEEN(what, 0x4)                                                                                       \
    SIXTEEN(what, 0x5)                                                                                       \
    SIXTEEN(what, 0x6)                                                                                       \
    SIXTEEN(what, 0x7)                                                                                       \
    SIXTEEN(what, 0x8)                                                                                       \
    SIXTEEN(what, 0x9)                                                                                       \
    SIXTEEN(what, 0xa)                                                                                       \
    SIXTEEN(what, 0xb)                                                                                       \
    SIXTEEN(what, 0xc)                                                                                       \
    SIXTEEN(what, 0xd)                                                                                       \
    SIXTEEN(what, 0xe)                                                                                       \
    SIXTEEN(what, 0xf)
#define CALLER(n)                                                                                            \
    static void caller_##n(void *in, void *inout, int *len, MPI_Datatype *type)                              \
    {                                                                                                        \
        ep_operator_enter(in, inout, len, type, n);                                                          \
    }
#define NAME(n) caller_##n,

ALL(CALLER)
static MPI_User_function *const operator_callers[OPERATOR_CALLERS] = {ALL(NAME)};

MPI_User_function *operator_caller(unsigned number)
{
    return operator_callers[number];
}
#endif
