/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_lib_fortran.hpp: XIOS's name of the header with the communicators as numbers for Fortran, EP_Comm_c2f and EP_Comm_f2c. Here all is in <ep_lib.hpp>. */
#ifndef EP_EP_LIB_FORTRAN_HPP
#define EP_EP_LIB_FORTRAN_HPP
#include "ep_lib.hpp"
#endif
