! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 2.5.4, 17.1.13: the constants that are addresses, given as they are, through procedures of the program, and
! through those of a shared library of it, which has others of its own.
#define PASS(name) own_/**/name
#include "language/passing.h"

#define RUN_NAME run_own
#define CALLED(name) own_/**/name
#include "language/sentinels.h"
#undef CALLED
#undef RUN_NAME
#define RUN_NAME run_shared
#define CALLED(name) shared_/**/name
#include "language/sentinels.h"

program main
  use conform
  implicit none

  call conform_init
  call run_own
  call run_shared
  call conform_end
end program
