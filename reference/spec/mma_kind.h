// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::spec {

/// Kinds of tcgen05.mma; instr_desc.h has a row for each.
enum class MmaKind : uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };
inline constexpr int mma_kind_count = 7;
/// A case file has a kind by its number, from 0 to one less than this.
constexpr uint32_t count_of(MmaKind) {
  return mma_kind_count;
}
constexpr uint32_t number_of(MmaKind kind) {
  return static_cast<uint32_t>(kind);
}
/// Block-scaled kinds.
constexpr bool is_scaled(MmaKind kind) {
  return kind >= MmaKind::mxf8f6f4;
}

}  // namespace assay::spec
