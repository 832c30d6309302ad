// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::spec {

/// Names that describe_word takes: smem, smem_sm90, idesc_<kind>, zero_column_mask.
std::vector<std::string_view> describable_words();
/// Bits of such a word, 32 or 64; nothing for an unknown name.
std::optional<int> bits_of_word(std::string_view as);

/// The fields, units and violations of any word, as text or as JSON. Nothing for a name that is not one of
/// describable_words(). Rules that depend on the instruction are judged as mildly as some instruction allows.
std::optional<std::string> describe_word(uint64_t word, std::string_view as, bool json);

}  // namespace assay::spec
