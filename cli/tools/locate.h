// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reference/layout/tmem.h"
#include "reference/spec/arch.h"

namespace assay::cli {

/// What `assay locate` is asked. Empty words: not given.
struct LocateQuestion {
  std::string layout = "tile", scales;
  uint64_t row = 0, column = 0;  ///< of the matrix: m or n, and k or n
  std::string type = "bf16", swizzle = "none", atom, box, major = "k", descriptor;
  uint64_t address = 0;                                   ///< bytes
  std::optional<uint64_t> leading_offset, stride_offset;  ///< bytes
  int m = 128, n = 256, cta_group = 1, lane_base = 0, block = 32;
  bool ws = false, sparse = false;
  spec::Arch arch = spec::Arch::sm_100;
};

/// Where it is: lines for people with a small picture, and members for programs, "places" among them.
struct Located {
  std::string text;
  nlohmann::json members;
};

/// Each throws UsageError for what there is not.
Located locate_in_tile(const LocateQuestion&);
Located locate_operand(const LocateQuestion&);      ///< in shared memory, through a descriptor
Located locate_accumulator(const LocateQuestion&);  ///< D in tensor memory
Located locate_a(const LocateQuestion&);            ///< A in tensor memory
Located locate_scale(const LocateQuestion&);        ///< in tensor memory

/// The name of the swizzle that --swizzle and --atom say together.
std::string swizzle_name(const LocateQuestion&);
/// The members of a place in shared memory.
nlohmann::json shared_place(uint64_t byte, int bit);

/// The form of tcgen05.mma that --m, --n, --cta-group, --ws and --sparse say. Throws UsageError where no kind
/// of it has that shape, or none that is block-scaled.
const layout::DLayoutRow& tmem_form(const LocateQuestion&, bool is_scaled);
/// "tcgen05.mma.ws, M 64, cta_group::1: layout E (data path 2x2)"
std::string form_words(const LocateQuestion&, const layout::DLayoutRow&);
/// Throws UsageError for an index that is not below `count`.
void demand_below(const std::string& option, uint64_t index, int count, const std::string& of_what);

}  // namespace assay::cli
