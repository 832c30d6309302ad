// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/open.h"

#include <algorithm>

#include "reference/layout/tmem.h"
#include "reference/model/mma/form.h"
#include "reference/model/mma/mma.h"

namespace assay::model {

Tcgen05MmaCase on_second(const Tcgen05MmaCase& c) {
  Tcgen05MmaCase second = c;
  second.d_column = c.second_column, second.second_column = 0;
  return second;
}

Tcgen05MmaCase without_second(const Tcgen05MmaCase& c) {
  Tcgen05MmaCase first = c;
  first.second_column = 0;
  return first;
}

void leave_d_open(const Tcgen05MmaCase& c, std::span<uint32_t> defined, bool& all_defined) {
  if (all_defined) std::fill(defined.begin(), defined.end(), ~0u);
  all_defined = false;
  const layout::DLayoutRow* layout = d_layout_of(c);
  const bool shape_known = (c.idesc_flip & shape_bits(c)) == 0 && layout != nullptr && c.n >= 8 && c.n <= 256;
  const size_t columns =
      shape_known ? static_cast<size_t>(layout::d_columns(*layout, static_cast<int>(c.n))) : 256;
  for (size_t lane = 0; lane < size_t{c.cta_group} * tmem_lanes; ++lane)
    for (size_t n = 0; n < columns && c.d_column + n < c.alloc_columns; ++n)
      defined[lane * c.alloc_columns + c.d_column + n] = 0;
  if (c.second_column != 0) leave_d_open(on_second(c), defined, all_defined);
}

}  // namespace assay::model
