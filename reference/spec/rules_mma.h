#pragma once

#include <span>
#include <string_view>

#include "reference/spec/rule.h"

namespace assay::spec {

/// Rules on tcgen05.mma, wgmma and mma.sync: SMEM-Rnn, IDESC-Rnn and ZCM-Rnn of the descriptors, ADD-Rnn of
/// the adder, TMEM-Rnn of the layouts in tensor memory. Kept apart from rules.h, whose rules suites exercise
/// today.
std::span<const Rule> mma_rules();
/// Null for an id that no row has.
const Rule* find_mma_rule(std::string_view id);

}  // namespace assay::spec
