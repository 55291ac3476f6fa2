/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_type.hpp: XIOS's name of the header with the types and constants. Here all is in <ep_lib.hpp>. */
#ifndef EP_EP_TYPE_HPP
#define EP_EP_TYPE_HPP
#include "ep_lib.hpp"
#endif
