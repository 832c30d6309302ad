// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/describe_word.h"

#include <algorithm>

#include "reference/spec/instr_desc.h"
#include "reference/spec/smem_desc.h"
#include "reference/spec/zero_column_mask.h"

namespace assay::spec {
namespace {

std::string describe(const Descriptor& descriptor, uint64_t word, std::span<const RuleBroken> broken,
                     bool json) {
  return json ? show_json(descriptor, word, broken) : show_text(descriptor, word, broken);
}

/// Runs of zeroed columns for each M, for people.
std::string mask_text(uint64_t word) {
  std::string text;
  for (const int m : {128, 64, 32}) {
    const std::vector<bool> zeroed = zeroed_columns(decode_zero_column_mask(word), m, 128);
    text += "  M " + std::to_string(m) + ", columns 0 to 127 (1: zeroed)\n    ";
    for (const bool bit : zeroed) text += bit ? '1' : '0';
    text += '\n';
  }
  return text;
}

}  // namespace

std::vector<std::string_view> describable_words() {
  std::vector<std::string_view> names{smem_desc.name, wgmma_smem_desc.name};
  for (int kind = 0; kind < mma_kind_count; ++kind)
    names.push_back(row_of(static_cast<MmaKind>(kind)).descriptor->name);
  names.push_back(zero_column_mask.name);
  return names;
}

std::optional<int> bits_of_word(std::string_view as) {
  for (int kind = 0; kind < mma_kind_count; ++kind)
    if (as == row_of(static_cast<MmaKind>(kind)).descriptor->name) return 32;
  const auto names = describable_words();
  return std::find(names.begin(), names.end(), as) == names.end() ? std::nullopt : std::optional(64);
}

std::optional<std::string> describe_word(uint64_t word, std::string_view as, bool json) {
  if (as == smem_desc.name) return describe(smem_desc, word, smem_desc_violations(word, {}), json);
  if (as == wgmma_smem_desc.name) return describe(wgmma_smem_desc, word, {}, json);
  if (as == zero_column_mask.name) {
    const std::string text = describe(zero_column_mask, word, zero_column_mask_violations(word, {}), json);
    return json ? text : text + mask_text(word);
  }
  for (int kind = 0; kind < mma_kind_count; ++kind) {
    const MmaKindRow& row = row_of(static_cast<MmaKind>(kind));
    if (as != row.descriptor->name) continue;
    if (word >> 32 != 0) {
      return json ? R"({"error": "the word has more than 32 bits, an instruction descriptor has 32"})"
                  : "the word has more than 32 bits, an instruction descriptor has 32\n";
    }
    const auto low = static_cast<uint32_t>(word);
    return describe(*row.descriptor, low, instr_desc_violations(low, {.kind = row.kind}), json);
  }
  return std::nullopt;
}

}  // namespace assay::spec
