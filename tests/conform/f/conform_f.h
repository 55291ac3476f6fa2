! SPDX-License-Identifier: BSD-3-Clause
! One source for the three styles of MPI in Fortran: STYLE_H is mpif.h, STYLE_MPI `use mpi`, STYLE_F08 `use mpi_f08`.
#if defined(STYLE_F08)
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#define COMM_T type(MPI_Comm)
#define GROUP_T type(MPI_Group)
#define DATATYPE_T type(MPI_Datatype)
#define OP_T type(MPI_Op)
#define REQUEST_T type(MPI_Request)
#define MESSAGE_T type(MPI_Message)
#define ERRHANDLER_T type(MPI_Errhandler)
#define INFO_T type(MPI_Info)
#define WIN_T type(MPI_Win)
#define STATUS_T(s) type(MPI_Status) :: s
#define STATUSES_T(s, n) type(MPI_Status) :: s(n)
! A field of a status, and of one in an array; the number of a handle.
#define OF(s, field) s%field
#define OF_EACH(s, i, field) s(i)%field
#define VAL(handle) handle%MPI_VAL
#else
#if defined(STYLE_MPI)
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#endif
#define COMM_T integer
#define GROUP_T integer
#define DATATYPE_T integer
#define OP_T integer
#define REQUEST_T integer
#define MESSAGE_T integer
#define ERRHANDLER_T integer
#define INFO_T integer
#define WIN_T integer
#define STATUS_T(s) integer :: s(MPI_STATUS_SIZE)
#define STATUSES_T(s, n) integer :: s(MPI_STATUS_SIZE, n)
#define OF(s, field) s(field)
#define OF_EACH(s, i, field) s(field, i)
#define VAL(handle) handle
#endif

! After a call with `ierr` as its last argument: it has set that to success, or to a code of an error class.
#define OK call conform_ok(ierr, __FILE__, __LINE__)
#define FAILS(error_class) call conform_fails(ierr, error_class, __FILE__, __LINE__)
! It has set it to an error of whatever class.
#define REFUSED call conform_refused(ierr, __FILE__, __LINE__)
#define CHECK(condition) call conform_check(condition, __FILE__, __LINE__, "condition")
#define EXPECT(got, want) call conform_int(int(got, 8), int(want, 8), __FILE__, __LINE__, "got")
