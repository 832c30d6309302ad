// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/swizzle.h"
#include "suites/vectors/kinds.h"
#include "suites/vectors/tile_case.h"

namespace assay::vectors {

void check_swizzle(const VectorRow& row, Differences& differences) {
  const model::SwizzlePattern pattern = model::pattern_of(swizzle_named(row.params.text("mode")));
  const auto base = narrow<uint32_t>("base", row.params.number("base"));
  const std::vector<int64_t> logical = row.params.list("logical"), physical = row.expected.list("physical");
  if (logical.size() != physical.size()) throw RowError{"logical and physical differ in length"};
  for (size_t i = 0; i < logical.size(); ++i)
    differences.compare("place of byte " + std::to_string(logical[i]), physical[i],
                        int64_t{pattern.place(base + narrow<uint32_t>("logical", logical[i]))} - base);
}

void check_swizzle_base(const VectorRow& row, Differences& differences) {
  const model::SwizzlePattern pattern = model::pattern_of(swizzle_named(row.params.text("mode")));
  differences.compare("baseoffset", row.expected.number("baseoffset"),
                      row.params.number("dst") / 128 % pattern.atoms);
}

}  // namespace assay::vectors
