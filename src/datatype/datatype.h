/* SPDX-License-Identifier: BSD-3-Clause */
/* datatype: where the bytes of data are, how they are copied, and what operators do to them. */
#ifndef EP_DATATYPE_DATATYPE_H
#define EP_DATATYPE_DATATYPE_H

#include "datatype/arith.h"
#include "datatype/contents.h"
#include "datatype/copy.h"
#include "datatype/elements.h"
#include "datatype/family.h"
#include "datatype/iter.h"
#include "datatype/map.h"
#include "datatype/shape.h"
#include "datatype/type.h"

#endif
