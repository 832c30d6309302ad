// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"

namespace assay::model {

/// All rules (V-nn) that a call of an im2col encoder breaks under the readings; empty: it must succeed.
spec::RuleSet broken_rule_set(const EncodeIm2colCase&, const spec::Readings&);

/// All rules that the map of a copy breaks; its address is relative to memory on a multiple of 256 bytes.
spec::RuleSet broken_column_map_rules(const Im2colMapArgs&, const spec::Readings&);

/// Channels * pixels in bytes, which the driver limits and writes at 0x40 of the map. 0 for a type that there
/// is not.
uint64_t column_bytes(const Im2colMapArgs&);

}  // namespace assay::model
