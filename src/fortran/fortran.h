/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Fortran bindings (MPI 17.1): for each function the symbols of its procedures in mpif.h, module mpi and module mpi_f08, as
 * gfortran calls them: all arguments by reference, then the lengths of strings. What is regular is made by tools/fortran_calls.py
 * with what is here. A handle is its number, also in mpi_f08, where it is a type with one component; LOGICAL is 0 or 1, as an int of
 * C; ierror may be absent (a null pointer) everywhere.
 */
#ifndef EP_FORTRAN_FORTRAN_H
#define EP_FORTRAN_FORTRAN_H

#include <ep_calls.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "dropin/dropin.h"
#include "fortran/sentinels.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays and results of INTEGER go to C as they are");

static inline void ierror_set(MPI_Fint *ierror, int rc)
{
    if (likely(ierror))
        *ierror = rc;
}

/* ---- handles ---- */

#define NULL_NUMBER EP_HANDLE_FIRST

/* The numbers of MPI's own objects. */
#ifdef MPI_Type_f2c /* a number is a handle: MPICH's */
#define datatype_f2c MPI_Type_f2c
/* In the two highest bits: is it predefined? Others may have absolute addresses, and their buffer be MPI_BOTTOM. */
static inline bool datatype_quick(MPI_Fint number, MPI_Datatype *datatype)
{
    *datatype = MPI_Type_f2c(number);
    return likely((uint32_t)number >> 30 == 1);
}
#else
/* Numbers of predefined datatypes are small. */
enum { FEW_TYPES = 256 };
extern _Atomic(MPI_Datatype) datatypes_known[FEW_TYPES]
    __attribute__((visibility("hidden"))); /* relaxed: NULL, or the constant */
MPI_Datatype datatype_find(MPI_Fint number);
/* Without a call; false: that does not do. */
static inline bool datatype_quick(MPI_Fint number, MPI_Datatype *datatype)
{
    *datatype = likely((uint32_t)number < FEW_TYPES) ? load_relaxed(&datatypes_known[number]) : NULL;
    return likely(*datatype);
}
static inline MPI_Datatype datatype_f2c(MPI_Fint number)
{
    MPI_Datatype known;
    return datatype_quick(number, &known) ? known : datatype_find(number);
}
#endif
#define datatype_c2f MPI_Type_c2f
#define op_f2c MPI_Op_f2c
#define op_c2f MPI_Op_c2f
#define info_f2c MPI_Info_f2c
#define info_c2f MPI_Info_c2f

/* ep_xxx_f2c gives the null handle for a number that stands for nothing. But that is an error where a null handle is none
 * (MPI_Wait), so C's function gets what is neither an object nor a constant. */
#define UNKNOWN_HANDLE 33
static inline void *handle_found(void *handle, MPI_Fint number)
{
    return likely(handle) || number == NULL_NUMBER ? handle : (void *)(uintptr_t)UNKNOWN_HANDLE;
}
static inline bool handle_is_object(const void *handle)
{
    return handle && handle != (void *)(uintptr_t)UNKNOWN_HANDLE;
}

/* EP_COMM_NULL, EP_COMM_WORLD, EP_COMM_SELF have the first ones. */
static inline bool comm_quick(MPI_Fint number, ep_comm *comm)
{
    uint32_t constant = (uint32_t)number - EP_HANDLE_FIRST;
    *comm = (ep_comm)(uintptr_t)constant;
    return likely(constant <= 2);
}
static inline ep_comm comm_f2c(MPI_Fint number)
{
    ep_comm constant;
    return comm_quick(number, &constant) ? constant : handle_found(ep_comm_f2c(number), number);
}
#define comm_c2f ep_comm_c2f
#define HANDLE_F2C(kind)                                                                                     \
    static inline ep_##kind kind##_f2c(MPI_Fint number)                                                      \
    {                                                                                                        \
        return handle_found(ep_##kind##_f2c(number), number);                                                \
    }
HANDLE_F2C(group)
HANDLE_F2C(request)
HANDLE_F2C(message)
HANDLE_F2C(errhandler)
HANDLE_F2C(win)
#define group_c2f ep_group_c2f
#define request_c2f ep_fortran_request_number
/* A request that C has made null is so in Fortran. */
static inline void request_gone(MPI_Fint *number, ep_request request)
{
    if (!request)
        *number = NULL_NUMBER;
}
#define message_c2f ep_message_c2f
#define errhandler_c2f ep_errhandler_c2f
#define win_c2f ep_win_c2f

/* Keys of predefined attributes. */
#ifdef EP_FORTRAN_NATIVE
/* Their numbers are those of the MPI underneath, in which C's may be others. */
int keyval_f2c(MPI_Fint number);
#else
#define keyval_f2c(number) (number) /* they have C's numbers in the modules */
#endif

/* ---- arrays ---- */

/* Memory for n elements, which is `few` where that has room. Else MPI_ERR_NO_MEM, raised for comm. */
enum { FEW_HANDLES = 32 };
int array_take(ep_comm comm, const char *call, void **array, void *few, int n, size_t size);
void array_drop(void *array, const void *few);

struct datatypes {
    MPI_Datatype *all;
    MPI_Datatype few[FEW_HANDLES];
};
int datatypes_take(ep_comm comm, const char *call, struct datatypes *types, int n, const MPI_Fint numbers[]);
void datatypes_drop(struct datatypes *types);

/* From how many members each one gets something in an all-to-all, and to how many it sends; 0 if comm is none. */
void alltoall_peers(ep_comm comm, int *in, int *out);
/* The same of neighbours. */
void alltoall_neighbors(ep_comm comm, int *in, int *out);

/* ---- statuses ---- */

#ifdef EP_FORTRAN_NATIVE
/* As in C: a status may be written after the call (ep_iwait). */
enum { STATUS_NUMBERS = sizeof(ep_status) / sizeof(MPI_Fint) };

static inline void status_read(const MPI_Fint *numbers, ep_status *status)
{
    memcpy(status, numbers, sizeof *status);
}

static inline void status_write(const ep_status *status, MPI_Fint *numbers)
{
    memcpy(numbers, status, sizeof *status);
}
#else
enum { STATUS_NUMBERS = EP_F_STATUS_SIZE };

/* ep_status_f2c */
static inline void status_read(const MPI_Fint *numbers, ep_status *status)
{
    uint64_t rest = (uint64_t)(uint32_t)numbers[4] << 32 | (uint32_t)numbers[3];
    *status = (ep_status){numbers[0], numbers[1], numbers[2], (int)(rest & 1), (MPI_Count)(rest >> 1)};
}

static inline void status_write(const ep_status *status, MPI_Fint *numbers)
{
    uint64_t rest = (uint64_t)status->ep_bytes << 1 | (status->ep_cancelled != 0);
    numbers[0] = status->MPI_SOURCE;
    numbers[1] = status->MPI_TAG;
    numbers[2] = status->MPI_ERROR;
    numbers[3] = (MPI_Fint)(uint32_t)rest;
    numbers[4] = (MPI_Fint)(uint32_t)(rest >> 32);
}
#endif

/* For a call that always writes it: all but the error. */
static inline void status_begin(const MPI_Fint *numbers, ep_status *status)
{
    *status = (ep_status){.MPI_ERROR = numbers[2]};
}

/* ep_recv, with a status that may be ignored. */
int recv_status(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                MPI_Fint *status);

/* ---- strings ---- */

enum { FEW_CHARACTERS = 256 };
struct string {
    char *text;
    char few[FEW_CHARACTERS];
};
/* The characters without blanks at the end (and, if `lead`, in front). Else MPI_ERR_NO_MEM, raised. */
int string_take(const char *call, struct string *string, const char *from, size_t n, bool lead);
void string_drop(struct string *string);
/* Room for so many, which is `few` where that suffices; array_drop. */
int string_room(const char *call, void **text, char few[FEW_CHARACTERS], size_t room);
/* Filled up with blanks. */
void string_give(char *to, size_t n, const char *from);

#endif
