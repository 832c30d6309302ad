// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/tensor_copy/tiled_cases.h"

namespace assay::gen {

/// Where large cases are rare, so many in a row have a map in common but for its address: the map is most of
/// the cost of making a case.
inline constexpr uint64_t cases_of_a_map = 4;

/// The first case of those that have the map of case `id`.
constexpr CaseId first_of_map(CaseId id) {
  id.index -= id.index % cases_of_a_map;
  return id;
}

/// What the cases of a map have in common, kept from one case to the next. It depends on the first of them
/// alone.
template <typename Made>
class SharedMap {
 public:
  /// make(random, made) makes it.
  template <typename Make>
  const Made& of(const CaseId& first, CopyDirection direction, const Make& make) {
    const uint64_t stream = ~case_stream(first.seed, first.property, first.index);
    if (stream_ == stream && arch_ == first.arch && direction_ == direction) return made_;
    Random random(stream);
    make(random, made_);
    stream_ = stream, arch_ = first.arch, direction_ = direction;
    return made_;
  }

 private:
  uint64_t stream_ = 0;
  spec::Arch arch_{};
  CopyDirection direction_{};
  Made made_;
};

}  // namespace assay::gen
