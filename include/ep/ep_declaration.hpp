/* SPDX-License-Identifier: BSD-3-Clause */
/* ep_declaration.hpp: XIOS's name of the header with the declarations. Here all is in <ep_lib.hpp>. */
#ifndef EP_EP_DECLARATION_HPP
#define EP_EP_DECLARATION_HPP
#include "ep_lib.hpp"
#endif
