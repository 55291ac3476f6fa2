/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/foreign.h"

#include <stdint.h>

#include "comm/comm.h"

#ifdef OPEN_MPI

/* What an object begins with. */
struct foreign_object {
    uintptr_t class;
    int32_t count;
};

/* Where Open MPI was built for debugging this comes first. */
static const uintptr_t debug_magic = (uintptr_t)0xdeafbeeddeafbeedu;

/* What is looked at may be free memory, which is left there for whoever may have it next. Class 0: there is no object. */
__attribute__((no_sanitize("address"), noinline)) static struct foreign_object look_at(const void *handle)
{
    const struct foreign_object *o = handle;
    if ((uintptr_t)handle < POOL_LOWEST || (uintptr_t)handle % sizeof(void *) != 0)
        return (struct foreign_object){0, 0};
    if (o->class == debug_magic)
        o = (const void *)((const uintptr_t *)handle + 1);
    return (struct foreign_object){o->class, o->count};
}

/* Does an object of the same class as `like` live at handle? */
static bool is_like(const void *handle, const void *like)
{
    struct foreign_object o = look_at(handle);
    return o.class == look_at(like).class && o.count > 0;
}

/* That of derived datatypes, which predefined ones do not have; learnt from one, once. */
static uintptr_t derived_class(void)
{
    static _Atomic uintptr_t known; /* relaxed */
    uintptr_t class = load_relaxed(&known);
    MPI_Datatype one;
    if (likely(class))
        return class;
    mpi_enter();
    if (MPI_Type_contiguous(1, MPI_BYTE, &one) == MPI_SUCCESS) {
        class = look_at(one).class;
        MPI_Type_free(&one);
    }
    mpi_leave();
    store_relaxed(&known, class);
    return class;
}

static bool is_type(MPI_Datatype datatype)
{
    struct foreign_object o = look_at(datatype);
    return is_like(datatype, MPI_BYTE) || (o.count > 0 && o.class && o.class == derived_class());
}

static bool is_op(MPI_Op op)
{
    return is_like(op, MPI_SUM);
}

static bool is_info(MPI_Info info)
{
    return is_like(info, MPI_INFO_ENV);
}

static bool is_comm(MPI_Comm comm)
{
    return is_like(comm, MPI_COMM_SELF);
}

#else

/*
 * MPICH's handles: two bits for where the object is, four for its kind, the rest which one of these. Predefined datatypes have their size in the
 * second byte. Of objects made later the lower 12 bits are a place in a block of BLOCK_ROOM; whether there is such a block MPICH looks
 * itself. ARRAY_ROOM is that of operators; other kinds have less.
 */
enum { PREDEFINED = 1, ARRAY = 2, LATER = 3, ARRAY_ROOM = 16, BLOCK_ROOM = 1024 };

/* Could that be an object made by the program, of the kind of `like`? */
static bool is_made(int handle, int like)
{
    unsigned bits = (unsigned)handle, place = bits >> 30, which = bits & 0x3ffffff;
    if ((bits >> 26 & 15) != ((unsigned)like >> 26 & 15))
        return false;
    return (place == LATER && (which & 0xfff) < BLOCK_ROOM) || (place == ARRAY && which < ARRAY_ROOM);
}

/* The number of the last predefined datatype, and the largest size of one. */
#ifdef MPIX_C_FLOAT16
enum { LAST_TYPE = MPIX_C_FLOAT16 & 0xff, FOREIGN_LARGEST = 0x20 };
#else
enum { LAST_TYPE = MPI_COUNT & 0xff, FOREIGN_LARGEST = 0x20 };
#endif

static bool is_type(MPI_Datatype datatype)
{
    unsigned bits = (unsigned)datatype;
    if (bits >> 26 != (unsigned)MPI_BYTE >> 26)
        return is_made(datatype, MPI_BYTE);
    return (bits >> 16 & 0x3ff) == 0 && (bits >> 8 & 0xff) <= FOREIGN_LARGEST && (bits & 0xff) <= LAST_TYPE;
}

static bool is_op(MPI_Op op)
{
    return is_made(op, MPI_SUM) || ((unsigned)op >= (unsigned)MPI_MAX && (unsigned)op <= (unsigned)MPI_NO_OP);
}

static bool is_info(MPI_Info info)
{
    return is_made(info, MPI_INFO_ENV) || info == MPI_INFO_ENV;
}

static bool is_comm(MPI_Comm comm)
{
    return is_made(comm, MPI_COMM_SELF) || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;
}

#endif

bool foreign_type_is_sound(MPI_Datatype datatype)
{
    return datatype != MPI_DATATYPE_NULL && is_type(datatype);
}

bool foreign_op_is_sound(MPI_Op op)
{
    return op != MPI_OP_NULL && is_op(op);
}

bool foreign_info_is_sound(MPI_Info info)
{
    return info != MPI_INFO_NULL && is_info(info);
}

bool foreign_comm_is_sound(MPI_Comm comm)
{
    return comm != MPI_COMM_NULL && is_comm(comm);
}
