// SPDX-License-Identifier: Apache-2.0
#include "suites/run/family.h"

#include "suites/run/bytes.h"
#include "suites/run/words.h"

namespace assay::suites {

bool Family::same(const Case&, const spec::Readings&, const Expected& e,
                  std::span<const std::byte> output) const {
  return equal_where_defined(e.bytes, output, e.mask);
}

std::string Family::open_result(const Case&, const Expected&, const spec::Readings&, const RecordEnd& end,
                                std::span<const std::byte>) const {
  return words(end);
}

ExpectedOutput Family::expected_output(const Case&, const Expected& e) const {
  ExpectedOutput whole;
  if (!e.judges_bytes) return whole;
  append(whole.bytes, e.bytes);
  append(whole.defined, e.mask);
  whole.defined.resize(whole.bytes.size(), 0xff);
  return whole;
}

}  // namespace assay::suites
