// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "reference/model/tmem/copy_case.h"

namespace assay::suites {

/// Gives the copy of a move a matrix in shared memory: any swizzle, start and base offset, strides from 0 on
/// as far as there is room, dead strides any 14 bits. Shape, count and step stand already.
void place_source(gen::Random&, TmemMove&);

/// Whether the leading and the stride offset of a copy are looked at.
struct LiveStrides {
  bool leading, stride;
};
LiveStrides live_strides(const TmemMove&);

}  // namespace assay::suites
