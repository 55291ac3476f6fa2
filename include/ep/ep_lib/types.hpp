/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.hpp: the types and constants of ep_lib. Part of <ep_lib.hpp>.
 *
 * Constants are constant-initialised, so objects with static storage of the program may use them before main. What MPI
 * libraries have in common, or ep_lib defines itself, is constexpr; numbers that differ between MPI libraries (error
 * classes, modes and keys of attributes) are extern const: no case labels and no bounds of arrays.
 */
#ifndef EP_EP_LIB_TYPES_HPP
#define EP_EP_LIB_TYPES_HPP

#include "undef.hpp"

#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)
namespace ep_lib {

typedef int MPI_Fint;
typedef long MPI_Aint;
class MPI_Comm;

/* ---- What the types are made of; not for programs ------------------------------------------ */

namespace detail {

/* A handle of MPI's, the same for endpoints and classic communicators. The first values number the constants. */
template <class Type> struct mpi_handle {
    std::uintptr_t value;

    constexpr mpi_handle() : value(0) {}
    explicit constexpr mpi_handle(std::uintptr_t v) : value(v) {}
    friend constexpr bool operator==(const Type &a, const Type &b) { return a.value == b.value; }
    friend constexpr bool operator!=(const Type &a, const Type &b) { return a.value != b.value; }
    friend constexpr bool operator<(const Type &a, const Type &b) { return a.value < b.value; }
};

/* Whose object it is: no one's (null), ep's, the MPI library's, or a constant that is both's. */
enum side { side_none, side_endpoint, side_classic, side_both };

/* A handle that is either ep's or the MPI library's. */
template <class Type> struct sided_handle {
    side of;
    std::uintptr_t value;

    constexpr sided_handle() : of(side_none), value(0) {}
    constexpr sided_handle(side s, std::uintptr_t v) : of(s), value(v) {}
    friend constexpr bool operator==(const Type &a, const Type &b)
    {
        return a.of == b.of && a.value == b.value;
    }
    friend constexpr bool operator!=(const Type &a, const Type &b) { return !(a == b); }
};

/* Where the classic handle of a communicator lies, and a copy of it in to, which has size bytes. */
void *classic_address(std::uintptr_t comm);
void classic_copy(std::uintptr_t comm, void *to, std::size_t size);

/* T is not void * nor bool, and points to a handle: to a pointer or to a number. ep_lib's own communicator is none. */
template <class T> struct is_handle_pointer {
    typedef typename std::remove_pointer<T>::type target;
    static constexpr bool value =
        std::is_pointer<T>::value && (std::is_pointer<target>::value || std::is_arithmetic<target>::value);
};
template <class T> struct is_handle {
    typedef typename std::remove_cv<typename std::remove_pointer<T>::type>::type target;
    static constexpr bool pointer =
        std::is_pointer<T>::value && !std::is_void<target>::value && !std::is_same<target, MPI_Comm>::value;
    static constexpr bool number = std::is_integral<T>::value && !std::is_same<T, bool>::value;
    static constexpr bool value = (pointer || number) && !is_handle_pointer<T>::value;
};

/*
 * The classic communicator behind a communicator, in all forms in which it is asked for: static_cast< ::MPI_Comm >(c) copies the
 * handle (a pointer in Open MPI, a number in MPICH), static_cast< ::MPI_Comm * >(c) and void *p = c give its address, which
 * holds until the communicator is freed.
 */
class classic_comm {
  public:
    std::uintptr_t comm;

    explicit constexpr classic_comm(std::uintptr_t c) : comm(c) {}
    operator void *() const { return classic_address(comm); }
    template <class T, typename std::enable_if<is_handle_pointer<T>::value, int>::type = 0> operator T() const
    {
        return static_cast<T>(classic_address(comm));
    }
    template <class T, typename std::enable_if<is_handle<T>::value, int>::type = 0> operator T() const
    {
        T handle;
        classic_copy(comm, &handle, sizeof handle);
        return handle;
    }
};

/* What comm.ep_comm_ptr points to. */
struct intercomm_part {
    classic_comm mpi_inter_comm; /* the classic intercommunicator of the host processes */
};
struct ep_comm_part {
    /* Rank and size: [0] of the endpoint, [1] among the endpoints of its process, [2] of its process among those that have
     * endpoints in the communicator. Of an intercommunicator: in the local group. */
    std::pair<int, int> size_rank_info[3];
    intercomm_part *intercomm; /* null in an intracommunicator */
};

/* Filled in when it is asked for: most programs do not. */
ep_comm_part *comm_part(std::uintptr_t comm);

class ep_comm_pointer {
  public:
    std::uintptr_t comm;

    explicit constexpr ep_comm_pointer(std::uintptr_t c) : comm(c) {}
    ep_comm_part *operator->() const { return comm_part(comm); }
    ep_comm_part &operator*() const { return *comm_part(comm); }
    explicit constexpr operator bool() const { return comm != 0; }
    operator ep_comm_part *() const { return comm ? comm_part(comm) : nullptr; }
};

struct request_types;

enum { comm_null, comm_world, comm_self };
enum { errhandler_null, errhandler_fatal, errhandler_return };

} // namespace detail

/* ---- Types ---------------------------------------------------------------------------------- */

/*
 * A communicator: of endpoints (is_ep), or a classic one of the MPI underneath, like MPI_COMM_WORLD and what EP_Comm_f2c
 * makes of a number. A handle: copies mean the same communicator, and are void when it is freed. One of endpoints
 * belongs to one endpoint. Revisions of XIOS write comm.is_ep and comm->is_ep: both work.
 */
class MPI_Comm {
  public:
    bool is_ep;
    bool is_intercomm;
    detail::classic_comm mpi_comm;       /* the classic communicator over the host processes */
    detail::ep_comm_pointer ep_comm_ptr; /* ->size_rank_info[0..2], ->intercomm->mpi_inter_comm */

    constexpr MPI_Comm() : is_ep(false), is_intercomm(false), mpi_comm(0), ep_comm_ptr(0) {}
    constexpr MPI_Comm(std::uintptr_t comm, bool ep, bool inter)
        : is_ep(ep), is_intercomm(inter), mpi_comm(comm), ep_comm_ptr(comm)
    {
    }
    MPI_Comm *operator->() { return this; }
    const MPI_Comm *operator->() const { return this; }
    friend constexpr bool operator==(const MPI_Comm &a, const MPI_Comm &b)
    {
        return a.mpi_comm.comm == b.mpi_comm.comm;
    }
    friend constexpr bool operator!=(const MPI_Comm &a, const MPI_Comm &b) { return !(a == b); }
    friend constexpr bool operator<(const MPI_Comm &a, const MPI_Comm &b)
    {
        return a.mpi_comm.comm < b.mpi_comm.comm;
    }
};

/* Datatypes, operators and infos are MPI's, for endpoints and classic communicators alike. */
struct MPI_Datatype : detail::mpi_handle<MPI_Datatype> {
    constexpr MPI_Datatype() {}
    explicit constexpr MPI_Datatype(std::uintptr_t v) : mpi_handle(v) {}
};
struct MPI_Op : detail::mpi_handle<MPI_Op> {
    constexpr MPI_Op() {}
    explicit constexpr MPI_Op(std::uintptr_t v) : mpi_handle(v) {}
};
struct MPI_Info : detail::mpi_handle<MPI_Info> {
    constexpr MPI_Info() {}
    explicit constexpr MPI_Info(std::uintptr_t v) : mpi_handle(v) {}
};
struct MPI_Errhandler : detail::mpi_handle<MPI_Errhandler> {
    constexpr MPI_Errhandler() {}
    explicit constexpr MPI_Errhandler(std::uintptr_t v) : mpi_handle(v) {}
};

/* These remember whether they are of endpoints or of a classic communicator. */
struct MPI_Group : detail::sided_handle<MPI_Group> {
    constexpr MPI_Group() {}
    constexpr MPI_Group(detail::side s, std::uintptr_t v) : sided_handle(s, v) {}
};
struct MPI_Message : detail::sided_handle<MPI_Message> {
    constexpr MPI_Message() {}
    constexpr MPI_Message(detail::side s, std::uintptr_t v) : sided_handle(s, v) {}
};
struct MPI_Win : detail::sided_handle<MPI_Win> {
    constexpr MPI_Win() {}
    constexpr MPI_Win(detail::side s, std::uintptr_t v) : sided_handle(s, v) {}
};
struct MPI_Request : detail::sided_handle<MPI_Request> {
    MPI_Datatype ep_datatype;    /* of a receive, for its status */
    detail::request_types *kept; /* what the operation still reads; the library's */

    constexpr MPI_Request() : kept(nullptr) {}
    constexpr MPI_Request(detail::side s, std::uintptr_t v, MPI_Datatype t)
        : sided_handle(s, v), ep_datatype(t), kept(nullptr)
    {
    }
    MPI_Request *operator->() { return this; }
    const MPI_Request *operator->() const { return this; }
};

/* ep_src and ep_tag are XIOS's names of MPI_SOURCE and MPI_TAG; both are filled in. ep_datatype is that of the receive, where
 * there was one, else MPI_DATATYPE_NULL. The last two are for MPI_Get_count and MPI_Test_cancelled. */
struct MPI_Status {
    int ep_src, ep_tag;
    MPI_Datatype ep_datatype;
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int cancelled;
    long long bytes;

    constexpr MPI_Status()
        : ep_src(-2), ep_tag(-1), MPI_SOURCE(-2), MPI_TAG(-1), MPI_ERROR(0), cancelled(0), bytes(0)
    {
    }
    MPI_Status *operator->() { return this; }
    const MPI_Status *operator->() const { return this; }
};

/* An operator's function (MPI 5.9.5). It may be called by several threads at once. */
typedef void MPI_User_function(void *in, void *inout, int *count, MPI_Datatype *datatype);

/* ---- Constants ------------------------------------------------------------------------------ */

namespace detail {
enum datatype_number {
    datatype_null,
#define EP_LIB_DATATYPE(name) datatype_##name,
#include "constants.def"
    datatype_end
};
enum op_number {
    op_null,
#define EP_LIB_OP(name) op_##name,
#include "constants.def"
    op_end
};
} // namespace detail

/* MPI_INT and so on, and the same as EP_INT. */
#define EP_LIB_DATATYPE(name)                                                                                \
    constexpr MPI_Datatype MPI_##name(detail::datatype_##name);                                              \
    constexpr MPI_Datatype EP_##name(detail::datatype_##name);
#define EP_LIB_DATATYPE_ALIAS(name, same)                                                                    \
    constexpr MPI_Datatype MPI_##name(detail::datatype_##same);                                              \
    constexpr MPI_Datatype EP_##name(detail::datatype_##same);
#define EP_LIB_OP(name)                                                                                      \
    constexpr MPI_Op MPI_##name(detail::op_##name);                                                          \
    constexpr MPI_Op EP_##name(detail::op_##name);
#define EP_LIB_SAME(name, value) constexpr int MPI_##name = value;
#define EP_LIB_ROOM(name, value) constexpr int MPI_##name = value;
#define EP_LIB_NUMBER(name) extern const int MPI_##name;
#include "constants.def"

constexpr MPI_Datatype MPI_DATATYPE_NULL;
constexpr MPI_Op MPI_OP_NULL;
constexpr MPI_Info MPI_INFO_NULL;
constexpr MPI_Comm MPI_COMM_NULL;
constexpr MPI_Comm MPI_COMM_WORLD(detail::comm_world, false, false); /* the classic ones */
constexpr MPI_Comm MPI_COMM_SELF(detail::comm_self, false, false);
constexpr MPI_Group MPI_GROUP_NULL;
constexpr MPI_Group MPI_GROUP_EMPTY(detail::side_both, 0);
constexpr MPI_Request MPI_REQUEST_NULL;
constexpr MPI_Message MPI_MESSAGE_NULL;
constexpr MPI_Message MPI_MESSAGE_NO_PROC(detail::side_both, 0);
constexpr MPI_Win MPI_WIN_NULL;
constexpr MPI_Errhandler MPI_ERRHANDLER_NULL;
constexpr MPI_Errhandler MPI_ERRORS_ARE_FATAL(detail::errhandler_fatal);
constexpr MPI_Errhandler MPI_ERRORS_RETURN(detail::errhandler_return);
constexpr MPI_Status *MPI_STATUS_IGNORE = nullptr;
constexpr MPI_Status *MPI_STATUSES_IGNORE = nullptr;

/* XIOS writes -2 for any source; -1, which is MPI's in Open MPI, means the same. The other two are neither of them. */
constexpr int MPI_ANY_SOURCE = -2;
constexpr int MPI_PROC_NULL = -3;
constexpr int MPI_ROOT = -4;
constexpr int EP_ANY_SOURCE = MPI_ANY_SOURCE;
constexpr int EP_ANY_TAG = MPI_ANY_TAG;
constexpr int EP_PROC_NULL = MPI_PROC_NULL;
constexpr int EP_UNDEFINED = MPI_UNDEFINED;

constexpr void *MPI_BOTTOM = nullptr;
extern void *const MPI_IN_PLACE;
extern const int MPI_BSEND_OVERHEAD; /* the larger of ep's and MPI's */

} // namespace ep_lib
#pragma GCC visibility pop
#endif
