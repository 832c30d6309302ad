// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/smem_desc.h"

#include "reference/spec/rules.h"
#include "reference/spec/tensor_map.h"

namespace assay::spec {
namespace {

constexpr Code tcgen05_codes[] = {
    {"version", 1, "1 (constant)"},
    {"leading_mode", 0, "byte offset"},
    {"leading_mode", 1, "byte address"},
    {"swizzle", 0, "none"},
    {"swizzle", 1, "128B_atom32B"},
    {"swizzle", 2, "128B"},
    {"swizzle", 4, "64B"},
    {"swizzle", 6, "32B"},
};
constexpr Code wgmma_codes[] = {
    {"swizzle", 0, "none"}, {"swizzle", 1, "128B"}, {"swizzle", 2, "64B"}, {"swizzle", 3, "32B"}};

using SmemRule = DescriptorRule<SmemUse>;
const SmemRule smem_checks[] = {
    {rule_table[rule("SMEM-R01")], "version",
     [](uint64_t word, const SmemUse&) { return get_raw(word, smem::version) == 1; }},
    {rule_table[rule("SMEM-R02")], "reserved",
     [](uint64_t word, const SmemUse&) { return (word & 0x1fe0'0000'c000'c000) == 0; }},
    {rule_table[rule("SMEM-R03")], "swizzle",
     [](uint64_t word, const SmemUse&) {
       return find_smem_swizzle(get_raw(word, smem::swizzle)) != nullptr;
     }},
    {rule_table[rule("SMEM-R04")], "leading_mode",
     [](uint64_t word, const SmemUse& use) {
       return get_raw(word, smem::leading_mode) == 0 || !use.arch || row_of(*use.arch).has_absolute_leading;
     }},
    {rule_table[rule("SMEM-R05")], "leading_mode",
     [](uint64_t word, const SmemUse& use) {
       return get_raw(word, smem::leading_mode) == 0 ||
              (get_raw(word, smem::swizzle) == smem_swizzle::by_128B &&
               get_raw(word, smem::base_offset) == 0 && !use.mn_major.value_or(false));
     }},
    {rule_table[rule("SMEM-R06")], "base_offset",
     [](uint64_t word, const SmemUse&) {
       return get_raw(word, smem::swizzle) != 0 || get_raw(word, smem::base_offset) == 0;
     }},
    {rule_table[rule("SMEM-R07")], "swizzle",
     [](uint64_t, const SmemUse& use) {
       return use.element_bits.value_or(8) >= 8 || !use.mn_major.value_or(false);
     }},
    {rule_table[rule("SMEM-R08")], "swizzle",
     [](uint64_t word, const SmemUse& use) {
       const int bits = use.element_bits.value_or(0);
       return !use.mn_major.value_or(false) || (bits != 8 && bits != 16) ||
              get_raw(word, smem::swizzle) != smem_swizzle::by_128B_atom32B;
     }},
    {rule_table[rule("SMEM-R09")], "swizzle",
     [](uint64_t word, const SmemUse& use) {
       return !use.mn_major.value_or(false) || use.element_bits.value_or(0) != 32 ||
              get_raw(word, smem::swizzle) == smem_swizzle::by_128B_atom32B;
     }},
    {rule_table[rule("SMEM-R10")], "swizzle",
     [](uint64_t word, const SmemUse& use) {
       return use.mn_major.value_or(true) || get_raw(word, smem::swizzle) != smem_swizzle::by_128B_atom32B;
     }},
    {rule_table[rule("SMEM-R11")], "", nullptr},
    {rule_table[rule("SMEM-R12")], "", nullptr},
    {rule_table[rule("SMEM-R13")], "", nullptr},
    {rule_table[rule("SMEM-R14")], "", nullptr},
    {rule_table[rule("SMEM-R15")], "", nullptr},
    {rule_table[rule("SMEM-R16")], "", nullptr},
    {rule_table[rule("SMEM-R17")], "", nullptr},
    {rule_table[rule("SMEM-R18")], "", nullptr},
    {rule_table[rule("SMEM-R19")], "", nullptr},
    {rule_table[rule("SMEM-R20")], "", nullptr},
    {rule_table[rule("SMEM-R21")], "", nullptr},
};

SmemMatrix read(uint64_t word) {
  SmemMatrix matrix;
  matrix.start = static_cast<uint32_t>(get(word, smem::start));
  matrix.leading_offset = static_cast<uint32_t>(get(word, smem::leading_offset));
  matrix.stride_offset = static_cast<uint32_t>(get(word, smem::stride_offset));
  matrix.base_offset = static_cast<uint32_t>(get(word, smem::base_offset));
  return matrix;
}

uint64_t write(const SmemMatrix& matrix) {
  uint64_t word = with(0, smem::start, matrix.start);
  word = with(word, smem::leading_offset, matrix.leading_offset);
  word = with(word, smem::stride_offset, matrix.stride_offset);
  return with(word, smem::base_offset, matrix.base_offset);
}

}  // namespace

constinit const Descriptor smem_desc{"smem",
                                     "shared memory descriptor of tcgen05",
                                     64,
                                     smem::tcgen05_fields,
                                     tcgen05_codes,
                                     smem::tcgen05_cite};
constinit const Descriptor wgmma_smem_desc{
    "smem_sm90", "shared memory descriptor of wgmma", 64, smem::wgmma_fields, wgmma_codes, smem::wgmma_cite};

uint64_t encode_smem_desc(const SmemMatrix& matrix) {
  uint64_t word = with_raw(write(matrix), smem::version, 1);
  word = with_raw(word, smem::leading_mode, matrix.leading_is_absolute ? 1 : 0);
  return with_raw(word, smem::swizzle, matrix.swizzle->tcgen05_code);
}

std::optional<SmemMatrix> decode_smem_desc(uint64_t word) {
  SmemMatrix matrix = read(word);
  matrix.leading_is_absolute = get_raw(word, smem::leading_mode) != 0;
  matrix.swizzle = find_smem_swizzle(get_raw(word, smem::swizzle));
  if (matrix.swizzle == nullptr) return std::nullopt;
  return matrix;
}

uint64_t encode_wgmma_smem_desc(const SmemMatrix& matrix) {
  return with_raw(write(matrix), smem::wgmma_swizzle, matrix.swizzle->wgmma_code.value_or(0));
}

SmemMatrix decode_wgmma_smem_desc(uint64_t word) {
  SmemMatrix matrix = read(word);
  matrix.swizzle = find_wgmma_swizzle(get_raw(word, smem::wgmma_swizzle));
  return matrix;
}

std::span<const DescriptorRule<SmemUse>> smem_desc_rules() {
  return smem_checks;
}

uint64_t smem_desc_rules_broken(uint64_t word, const SmemUse& use) {
  return rules_broken<SmemUse>(smem_checks, word, use);
}

std::vector<RuleBroken> smem_desc_violations(uint64_t word, const SmemUse& use) {
  return listed<SmemUse>(smem_checks, smem_desc_rules_broken(word, use));
}

uint64_t random_smem_desc(const SmemUse& use, uint64_t (*random)(void* state), void* state) {
  const auto field = [&](const Field& f) { return random(state) & low_bits(f.width()); };
  while (true) {
    uint64_t word = with_raw(0, smem::start, field(smem::start));
    word = with_raw(word, smem::leading_offset, field(smem::leading_offset));
    word = with_raw(word, smem::stride_offset, field(smem::stride_offset));
    word = with_raw(word, smem::version, 1);
    word = with_raw(word, smem::base_offset, random(state) % 2 == 0 ? 0 : field(smem::base_offset));
    word = with_raw(word, smem::swizzle, field(smem::swizzle));
    if (has(use.arch, &Architecture::has_absolute_leading))
      word = with_raw(word, smem::leading_mode, field(smem::leading_mode));
    if (smem_desc_violations(word, use).empty()) return word;
    // A use that no word satisfies (4-bit elements MN-major) would not end.
    if (use.mn_major.value_or(false) && use.element_bits.value_or(8) < 8) return word;
  }
}

}  // namespace assay::spec
