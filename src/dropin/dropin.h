/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank of an MPI program: what a process's MPI knows of itself, kept per endpoint. eprun makes one for each
 * endpoint and binds the program's threads to it; the drop-in's MPI_Init and its like look there.
 */
#ifndef EP_DROPIN_DROPIN_H
#define EP_DROPIN_DROPIN_H

#include <ep.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpi_rank;

/* A rank with this world. Its main thread is the first one that is bound to it. NULL without memory. */
EP_PUBLIC struct mpi_rank *ep_rank_new(ep_comm world);

/* The calling thread belongs to that rank: EP_COMM_WORLD is its world, between MPI_Init and MPI_Finalize.
 * NULL: to none. */
EP_PUBLIC void ep_rank_bind(struct mpi_rank *rank);
EP_PUBLIC struct mpi_rank *ep_rank_bound(void);

/* The calling thread, which is bound to one, is about to end: complete the OpenMP tasks that are tied to
 * it. */
EP_PUBLIC void ep_rank_thread_ends(void);

/* Its rank in its world. */
EP_PUBLIC int ep_rank_number(const struct mpi_rank *rank);

/* Its world, also before MPI_Init and after MPI_Finalize. */
ep_comm ep_rank_world(const struct mpi_rank *rank);

/* What OpenSHMEM keeps of it (src/shmem); NULL at first. */
struct shmem_pe;
struct shmem_pe **ep_rank_shmem(struct mpi_rank *rank);
/* What it has found for the calling thread (shmem/shmem.h); NULL once the thread is bound to a rank. */
struct shmem_reach;
extern EP_PUBLIC _Thread_local struct shmem_reach *ep_shmem_here __attribute__((tls_model("initial-exec")));

/* Has it called MPI_Init but not MPI_Finalize? Then it must not end. */
EP_PUBLIC bool ep_rank_is_inside(const struct mpi_rank *rank);

/*
 * The variables of a program that others may access (OpenSHMEM's symmetric data segment), before its constructors run:
 * parts, in ascending order, of whole pages that only the calling thread uses. Where the world has other processes that
 * share memory with this one they become memory of a file that those can map (comm/segment.h); a child made by fork gets
 * them as they were then, as its own. False without memory; that they cannot be shared is no error.
 */
struct ep_rank_part {
    char *start;
    size_t bytes;
    /* So many in front are of the program's file: before anybody has touched them not all zero. */
    size_t given;
};
EP_PUBLIC bool ep_rank_share_data(struct mpi_rank *rank, const struct ep_rank_part parts[], size_t n);

/* The first part to the last one. pid, fd, id and bytes are the key of a segment whose memory begins with start's. fd is
 * -1: it is the process's own, other processes do not reach it. NULL: the program has none. */
struct ep_rank_data {
    char *start;
    size_t bytes;
    int fd;
    uint64_t id[2];
};
const struct ep_rank_data *ep_rank_data(const struct mpi_rank *rank);

/* What is to run when the rank has ended well, after all of the program's own functions, in the thread that ends it, unless
 * it is inside MPI still. One for each rank: the last one that is said; NULL: none. Of the rank's threads one at a time. */
void ep_rank_at_exit(struct mpi_rank *rank, void (*run)(void *), void *arg);
/* Run it, once. */
EP_PUBLIC void ep_rank_exits(struct mpi_rank *rank);

/* What ends all ranks of the job with that status, which may be 0 (OpenSHMEM's shmem_global_exit); the one who runs them says it
 * before any of them begins. */
EP_PUBLIC void ep_rank_job_ends_by(void (*end)(int status));
_Noreturn void ep_rank_end_job(int status);

/* Programs have each a C++ run-time of their own. What tasks have to save of it when they are suspended, is,
 * for the calling thread, what this function gives (its __cxa_get_globals), or NULL. */
EP_PUBLIC void ep_exceptions_from(void *(*here)(void));

/* An error MPI_ERR_UNSUPPORTED_OPERATION of that function, on the world of the calling thread. */
EP_PUBLIC int ep_lacking(const char *call);

/* ---- What the Fortran bindings need, which are linked into programs (src/fortran) ---- */

/* The number of the null handles (comm/handle.h); those of constants follow. */
#define EP_HANDLE_FIRST 0x38000000

/* An error of that call, whose error handler is comm's, or, if that is no communicator, the one of the thread's world. */
EP_PUBLIC int ep_fortran_error(ep_comm comm, const char *call, int error_class, const char *text);
/* What that function takes for a window's error handler. */
EP_PUBLIC ep_comm ep_fortran_comm_of_win(ep_win win);

/* The number of a request that a call has just given, which nothing needs to be known of (ep_request_c2f). */
EP_PUBLIC MPI_Fint ep_fortran_request_number(ep_request request);

/* The number of a communicator of ep_comm_idup whose request is not complete, so that ep_comm_c2f does not know it. */
EP_PUBLIC MPI_Fint ep_fortran_comm_coming(ep_comm comm);

/* Is it a predefined datatype? Then its number stays its own. */
EP_PUBLIC bool ep_fortran_is_named(MPI_Datatype datatype);
/* Bytes of data in one; 0: there are none, or it is no datatype. */
EP_PUBLIC size_t ep_fortran_size(MPI_Datatype datatype);

/* An array whose elements do not follow each other: of the first one, bytes and dimensions, in the order in which elements count. */
enum { EP_FORTRAN_RANK = 15 };
struct ep_fortran_array {
    char *base;
    size_t element;
    int rank;
    struct {
        ptrdiff_t extent, stride; /* elements, bytes */
    } dimensions[EP_FORTRAN_RANK];
};

/*
 * One element of *made, at the array's first element, is the data of count elements of datatype in an array of the same elements that
 * follow each other (MPI 17.1.13). It is committed and the caller's to free. It has the same predefined types, unless elements of
 * datatype are larger than those of the array or lie over their ends; then, if it is not made of one type whose elements are each
 * in one of the array, bytes. MPI_DATATYPE_NULL: there is nothing to be done, or the other arguments are wrong, as the call itself
 * will say. Errors, raised: MPI_ERR_BUFFER (the array is too small), MPI_ERR_NO_MEM.
 */
EP_PUBLIC int ep_fortran_section(ep_comm comm, const char *call, const struct ep_fortran_array *array,
                                 int count, MPI_Datatype datatype, MPI_Datatype *made);

/* Its elements, one after the other, for a call that needs them so. written: the call writes some, which the array has after
 * ep_fortran_copy_end. NULL without memory. */
struct ep_fortran_copy;
EP_PUBLIC struct ep_fortran_copy *ep_fortran_copy_begin(const struct ep_fortran_array *array, bool written,
                                                        void **elements);
EP_PUBLIC void ep_fortran_copy_end(struct ep_fortran_copy *copy);
/* The same when the program is told that the request, a collective one's, is complete; at once if it is null or complete. */
EP_PUBLIC void ep_fortran_copy_end_with(struct ep_fortran_copy *copy, ep_request request);

/* The COMMON block of an image whose variables are known by their addresses (fortran/sentinels.h). No block of the same rank is
 * before `first` or behind `end`. */
struct ep_fortran_block {
    struct ep_fortran_block *next; /* of the rank; under the lock */
    char *begin;
    size_t bytes;
    /* relaxed: whoever has an address in a block has got it from code that ran after ep_fortran_add had returned, and they only
     * become more */
    _Atomic uintptr_t first, end;
};
EP_PUBLIC void ep_fortran_add(struct ep_fortran_block *block);
EP_PUBLIC void ep_fortran_remove(struct ep_fortran_block *block);
/* `own`, or, if that is null, the block that was added last; NULL: there is none. */
EP_PUBLIC MPI_Fint *ep_fortran_sentinels(MPI_Fint *own);
/* Where p is in one of the rank's blocks, or -1. */
EP_PUBLIC ptrdiff_t ep_fortran_place(const void *p);

/*
 * Functions and values of Fortran where they differ from C's (MPI 17.2.7). mpi_1: the function is the one of MPI-1, whose integers are
 * INTEGER. A copy or delete function of MPI-1 is given that part of extra_state and the values.
 */
typedef void ep_fortran_copy_function(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *extra_state, MPI_Aint *in,
                                      MPI_Aint *out, MPI_Fint *flag, MPI_Fint *ierror);
typedef void ep_fortran_delete_function(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value,
                                        MPI_Aint *extra_state, MPI_Fint *ierror);
typedef void ep_fortran_errhandler_function(MPI_Fint *handle, MPI_Fint *error_code);
typedef void ep_fortran_user_function(void *in, void *inout, MPI_Fint *n, MPI_Fint *datatype);

EP_PUBLIC int ep_fortran_comm_create_keyval(bool mpi_1, ep_fortran_copy_function *copy,
                                            ep_fortran_delete_function *delete_fn, int *keyval,
                                            MPI_Aint extra);
EP_PUBLIC int ep_fortran_comm_set_attr(bool mpi_1, ep_comm comm, int keyval, MPI_Aint value);
EP_PUBLIC int ep_fortran_comm_get_attr(bool mpi_1, ep_comm comm, int keyval, MPI_Aint *value, int *flag);
EP_PUBLIC int ep_fortran_comm_create_errhandler(bool mpi_1, ep_fortran_errhandler_function *function,
                                                ep_errhandler *errhandler);

EP_PUBLIC int ep_fortran_win_create_keyval(ep_fortran_copy_function *copy,
                                           ep_fortran_delete_function *delete_fn, int *keyval,
                                           MPI_Aint extra);
EP_PUBLIC int ep_fortran_win_set_attr(ep_win win, int keyval, MPI_Aint value);
EP_PUBLIC int ep_fortran_win_get_attr(ep_win win, int keyval, MPI_Aint *value, int *flag);
EP_PUBLIC int ep_fortran_win_create_errhandler(ep_fortran_errhandler_function *function,
                                               ep_errhandler *errhandler);

EP_PUBLIC int ep_fortran_type_create_keyval(ep_fortran_copy_function *copy,
                                            ep_fortran_delete_function *delete_fn, int *keyval,
                                            MPI_Aint extra);
EP_PUBLIC int ep_fortran_type_set_attr(MPI_Datatype type, int keyval, MPI_Aint value);
EP_PUBLIC int ep_fortran_type_get_attr(MPI_Datatype type, int keyval, MPI_Aint *value, int *flag);

EP_PUBLIC int ep_fortran_op_create(ep_fortran_user_function *function, int commute, MPI_Op *op);

#endif
