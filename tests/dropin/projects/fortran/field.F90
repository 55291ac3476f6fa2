! SPDX-License-Identifier: BSD-3-Clause
#define WIDTH 16
module field
  implicit none
  integer, parameter :: width = WIDTH
  real(kind(1d0)), save :: u(0:width + 1) = 0, before(0:width + 1) = 0
end module
