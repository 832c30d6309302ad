// SPDX-License-Identifier: Apache-2.0
#include "suites/run/family.h"

#include <stdexcept>

#include "devices/cuda/region.h"
#include "kernels/params/arena.h"
#include "kernels/params/source.h"
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

std::string source_of_module(const std::string& module) {
  const std::string name = "/" + module + ".cu";
  for (size_t i = 0; i < assay_kernel_source_count; ++i)
    if (const std::string path = assay_kernel_sources[i].path; path.ends_with(name)) return path;
  throw std::runtime_error("the program has no text of a kernel " + module + ".cu");
}

std::span<const std::byte> arena() {
  return {cuda::ArenaMemory::of_process().begin(), params::arena_bytes};
}

}  // namespace assay::suites
