/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.hpp: starting and ending, time, errors, infos, memory, datatypes, operators. Part of <ep_lib.hpp>. */
#ifndef EP_EP_LIB_ENVIRONMENT_HPP
#define EP_EP_LIB_ENVIRONMENT_HPP

#include "types.hpp"

#pragma GCC visibility push(default)
namespace ep_lib {

/* ---- Starting and ending (MPI 8.7, 12.4.3) ---------------------------------------------------
 * Any thread may call these, all threads too, as XIOS does. Initialising blocks until MPI is initialised: the first thread
 * that comes does it and becomes MPI's main thread, for the others it is done. MPI_Init asks for MPI_THREAD_MULTIPLE,
 * because threads are to be ranks. MPI_Finalize does nothing in other threads than the main one; there it ends MPI,
 * collective over all processes, when no other thread of the process is inside ep_lib any more. */
int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize();

/* End all processes of the job (MPI 8.7). Any thread. Does not return. */
int MPI_Abort(MPI_Comm comm, int errorcode);

/* MPI's own functions, which a program that sees <mpi.h>, too, may call unqualified (MPI 8.1, 8.2, 8.6, 8.7, 4.1.5). Any thread; none
 * blocks. The seconds of MPI_Wtime are from the same clock in all threads of a process. */
extern "C" {
int MPI_Initialized(int *flag);
int MPI_Finalized(int *flag);
int MPI_Query_thread(int *provided);
int MPI_Is_thread_main(int *flag);
int MPI_Get_processor_name(char *name, int *resultlen);
int MPI_Get_version(int *version, int *subversion);
int MPI_Get_address(const void *location, MPI_Aint *address);
int MPI_Free_mem(void *base);
double MPI_Wtime();
double MPI_Wtick();
}

/* Memory for MPI_Free_mem; baseptr is a void ** (MPI 8.2). Any thread; does not block. Errors: MPI_ERR_NO_MEM. */
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr);

/* ---- Errors (MPI 8.3, 8.4) ---------------------------------------------------------------------
 * Functions return MPI_SUCCESS or a code after the communicator's error handler was called, which is MPI_ERRORS_ARE_FATAL
 * at first. What concerns no communicator is raised on the handler of MPI_COMM_WORLD, with which new endpoints begin,
 * too. Functions that need memory of their own throw std::bad_alloc where there is none. */

/* Text of a code; string has room for MPI_MAX_ERROR_STRING characters. Of the last error of an endpoint in the calling thread it is
 * the full message: endpoint, process, call, argument. Any thread. Errors: MPI_ERR_ARG. */
int MPI_Error_string(int errorcode, char *string, int *resultlen);
/* The class of a code, one of the MPI_ERR_... (MPI 8.4). Any thread. */
int MPI_Error_class(int errorcode, int *errorclass);
/* MPI_ERRORS_RETURN or MPI_ERRORS_ARE_FATAL, for the calling endpoint on comm, or for the process on a classic communicator
 * (MPI 8.3.1). Local. Errors: MPI_ERR_COMM, MPI_ERR_ARG (MPI_ERRHANDLER_NULL). */
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler); /* its name in MPI-1 */

/* ---- Infos (MPI 9) -------------------------------------------------------------------------------
 * MPI's. Any thread; none blocks. Errors: MPI_ERR_INFO, _INFO_KEY, _INFO_VALUE, _INFO_NOKEY, _ARG. */
int MPI_Info_create(MPI_Info *info);
int MPI_Info_set(MPI_Info info, const char *key, const char *value);
int MPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag);
int MPI_Info_delete(MPI_Info info, const char *key);
int MPI_Info_dup(MPI_Info info, MPI_Info *newinfo);
int MPI_Info_free(MPI_Info *info);

/* ---- Datatypes (MPI 4) -----------------------------------------------------------------------------
 * MPI's, for endpoints and classic communicators alike. Any thread; none blocks. Errors: MPI_ERR_TYPE, _COUNT, _ARG. */
int MPI_Type_size(MPI_Datatype datatype, int *size);
int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent);
int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                            MPI_Datatype *newtype);
int MPI_Type_indexed(int count, const int blocklengths[], const int displs[], MPI_Datatype oldtype,
                     MPI_Datatype *newtype);
int MPI_Type_create_hindexed(int count, const int blocklengths[], const MPI_Aint displs[],
                             MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_create_struct(int count, const int blocklengths[], const MPI_Aint displs[],
                           const MPI_Datatype types[], MPI_Datatype *newtype);
int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype);
int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_commit(MPI_Datatype *datatype);
int MPI_Type_free(MPI_Datatype *datatype); /* may be called while messages of the type are under way */

/* Into and out of buffers of type MPI_PACKED (MPI 4.2). Local. Errors: also MPI_ERR_COMM, MPI_ERR_TRUNCATE. */
int MPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position,
             MPI_Comm comm);
int MPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
               MPI_Datatype datatype, MPI_Comm comm);
int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size);

/* ---- Operators (MPI 5.9.5, 5.9.7) --------------------------------------------------------------------
 * For endpoints and classic communicators alike. Any thread; none blocks. Errors: MPI_ERR_OP, MPI_ERR_ARG, and of
 * MPI_Op_create MPI_ERR_NO_MEM: a process may use 256 different functions. */
int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
int MPI_Op_free(MPI_Op *op); /* also while collective calls of endpoints with it are under way */
int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op);

} // namespace ep_lib
#pragma GCC visibility pop
#endif
