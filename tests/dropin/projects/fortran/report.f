C     SPDX-License-Identifier: BSD-3-Clause
C     What a rank has to say, in the order of ranks.
      SUBROUTINE REPORT(COMM, STEP, X)
      INCLUDE 'mpif.h'
      INTEGER COMM, STEP, RANK, N, I, IERR, CALLS
      INTEGER STATUS(MPI_STATUS_SIZE)
      DOUBLE PRECISION X, Y
      SAVE CALLS
      DATA CALLS /0/
      CALLS = CALLS + 1
      CALL MPI_COMM_RANK(COMM, RANK, IERR)
      CALL MPI_COMM_SIZE(COMM, N, IERR)
      IF (RANK .NE. 0) THEN
         CALL MPI_SEND(X, 1, MPI_DOUBLE_PRECISION, 0, STEP, COMM, IERR)
      ELSE
         Y = X
         DO 10 I = 0, N - 1
            IF (I .GT. 0) CALL MPI_RECV(Y, 1, MPI_DOUBLE_PRECISION, I,
     &         STEP, COMM, STATUS, IERR)
            WRITE (*, '(I4, I4, I4, F12.8)') CALLS, STEP, I, Y
   10    CONTINUE
      END IF
      END
