C     SPDX-License-Identifier: BSD-3-Clause
C     Three ranks add 1, 2 and 3.
      PROGRAM DROPIN
      INCLUDE 'mpif.h'
      INTEGER RANK, MINE, N, IERR
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      MINE = RANK + 1
      CALL MPI_REDUCE(MINE, N, 1, MPI_INTEGER, MPI_SUM, 0,
     &   MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0) PRINT '(I0)', N
      CALL MPI_FINALIZE(IERR)
      END
