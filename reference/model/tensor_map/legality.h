// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {

/// More than any CTA of these architectures can have: 227 KiB and the reserved KiB (ptx, .shared; cuda,
/// compute capabilities 9.0 and 10.x).
inline constexpr uint64_t shared_memory_bytes = 228 * 1024;

/// All rules (V-nn) that a call breaks under the readings; empty: the call must succeed. No heap.
spec::RuleSet broken_rule_set(const EncodeTiledCase&, const spec::Readings&);

/// The same in table order.
std::vector<spec::RuleIndex> broken_rules(const EncodeTiledCase&, const spec::Readings&);

/// Those of them that do not look at the box: what tiled and im2col maps share. `is_call`: the address is the
/// one that the driver gets.
spec::RuleSet broken_shared_rules(const TensorMapArgs&, const spec::Readings&, bool is_call);

/// All rules (V-nn) that the map of a copy breaks. Its address is relative to memory on a multiple of 256
/// bytes, so rules on the absolute address play no part; the 96B swizzle counts as legal where the
/// architecture has it. Of a store on sm_103 a map of b6p2x16 may have what only tensormap.replace makes: a
/// box of 64, an extent of a multiple of 64, an address and strides of 16 bytes, 64B swizzle.
spec::RuleSet broken_map_rules(const TensorMapArgs&, const spec::Readings&,
                               CopyDirection = CopyDirection::load);
/// Whether it breaks none of those that hang on its address, its promotion or its fill, and none of the rest.
bool is_legal_in_place(const TensorMapArgs&, const spec::Readings&, CopyDirection);
bool is_legal_wherever(const TensorMapArgs&, const spec::Readings&, CopyDirection);

/// Bytes that the driver counts for the box and writes at 0x40 of the map: element bytes * product of
/// floor(box / traversal stride), dimension 0 included. Arguments as V-15 and V-18 want them, else 0.
uint64_t counted_box_bytes(const TensorMapArgs&);

/// Stores of b6p2x16 on sm_103a have limits of their own: half the box, the extent and the start that the
/// type has elsewhere, 16 bytes where it wants 32, and 64B swizzle (ptx, restriction on tensor copy
/// instructions). The encoders do not know them.
inline bool takes_half_a_box(const spec::DataType* type, spec::Arch arch) {
  return type != nullptr && type->host == spec::host_type::b6x16_p32 && spec::row_of(arch).halves_b6_stores;
}

/// All rules (V-nn) that a call of an im2col encoder breaks under the readings; empty: it must succeed.
spec::RuleSet broken_rule_set(const EncodeIm2colCase&, const spec::Readings&);

/// All rules that the map of a copy breaks; its address is relative to memory on a multiple of 256 bytes.
spec::RuleSet broken_column_map_rules(const Im2colMapArgs&, const spec::Readings&);

/// Channels * pixels in bytes, which the driver limits and writes at 0x40 of the map. 0 for a type that there
/// is not.
uint64_t column_bytes(const Im2colMapArgs&);

}  // namespace assay::model
