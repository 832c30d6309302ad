// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "reference/model/bend.h"
#include "reference/model/bulk_copy/case.h"
#include "reference/model/end.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::suites {

/// What a bulk copy is about: what is read of global memory, and the slot and the windows of all ranks, which
/// hold what was there before and receive what must be there after.
struct BulkMemory {
  std::span<const std::byte> arena;
  std::span<std::byte> slot, windows;
};

struct BulkPrediction {
  model::End end = model::End::done;
  spec::RuleSet rules;
};

/// Rules on bulk copies and reductions altered, each in one way.
std::span<const model::Bend> bulk_bends();

/// Bytes that a size operand stands for.
uint32_t moved_bytes(uint32_t size);

BulkPrediction predict_bulk(const BulkCase&, const spec::Readings&, const BulkMemory&);

/// Elements of the slot that several CTAs reduce, with what each may hold afterwards.
struct OpenElement {
  uint32_t at;  ///< byte of the slot
  std::vector<uint64_t> allowed;
};
/// Of a case that ends well, before it ran: those for which the order matters.
std::vector<OpenElement> open_elements(const BulkCase&, const spec::Readings&,
                                       std::span<const std::byte> slot, std::span<const std::byte> windows);

}  // namespace assay::suites
