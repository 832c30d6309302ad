#include "reference/spec/smem_desc.h"

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

constexpr Cite table{"ptx", "tcgen05, shared memory descriptor, table of bits"};
constexpr Cite repeat{"ptx", "tcgen05, shared memory descriptor, starting address of the repeating pattern"};
constexpr Cite combinations{"ptx", "tcgen05, valid combinations of type-size, major-ness and swizzling"};
constexpr Cite canonical{"ptx", "tcgen05, canonical layouts"};
constexpr Cite wgmma_addresses{"h200", "wgmma descriptor, addresses"};
constexpr OnArch on_sm_90{true, false, false};

using SmemRule = DescriptorRule<SmemUse>;
const SmemRule smem_rules[] = {
    {{"SMEM-R01", "bits 46 to 48 hold the constant 0b001", {{table}}, from_sm_100, ""},
     "version",
     [](uint64_t word, const SmemUse&) { return get_raw(word, smem::version) == 1; }},
    {{"SMEM-R02", "bits 14, 15, 30, 31 and 53 to 60 are 0", {{table}}, from_sm_100, ""},
     "reserved",
     [](uint64_t word, const SmemUse&) { return (word & 0x1fe0'0000'c000'c000) == 0; }},
    {{"SMEM-R03", "the swizzle code is 0, 1, 2, 4 or 6", {{table}}, from_sm_100, ""},
     "swizzle",
     [](uint64_t word, const SmemUse&) {
       return find_smem_swizzle(get_raw(word, smem::swizzle)) != nullptr;
     }},
    {{"SMEM-R04",
      "the leading dimension may be an absolute address on sm_103a alone",
      {{{"ptx", "tcgen05, shared memory descriptor, target ISA notes"}}},
      from_sm_100,
      ""},
     "leading_mode",
     [](uint64_t word, const SmemUse& use) {
       return get_raw(word, smem::leading_mode) == 0 || use.arch.value_or(Arch::sm_103) == Arch::sm_103;
     }},
    {{"SMEM-R05",
      "an absolute leading address goes with 128B swizzle of 16-byte atoms, K-major order and base offset 0",
      {{{"ptx", "tcgen05, shared memory descriptor, target ISA notes"}}},
      only_sm_103,
      ""},
     "leading_mode",
     [](uint64_t word, const SmemUse& use) {
       return get_raw(word, smem::leading_mode) == 0 ||
              (get_raw(word, smem::swizzle) == 2 && get_raw(word, smem::base_offset) == 0 &&
               !use.mn_major.value_or(false));
     }},
    {{"SMEM-R06", "without swizzle the base offset is 0", {{repeat}}, from_sm_100, "AMB-05"},
     "base_offset",
     [](uint64_t word, const SmemUse&) {
       return get_raw(word, smem::swizzle) != 0 || get_raw(word, smem::base_offset) == 0;
     }},
    {{"SMEM-R07", "4- and 6-bit elements are K-major", {{combinations}}, from_sm_100, ""},
     "swizzle",
     [](uint64_t, const SmemUse& use) {
       return use.element_bits.value_or(8) >= 8 || !use.mn_major.value_or(false);
     }},
    {{"SMEM-R08",
      "MN-major 8- and 16-bit elements take every swizzle but 128B with 32-byte atoms",
      {{combinations}},
      from_sm_100,
      ""},
     "swizzle",
     [](uint64_t word, const SmemUse& use) {
       const int bits = use.element_bits.value_or(0);
       return !use.mn_major.value_or(false) || (bits != 8 && bits != 16) || get_raw(word, smem::swizzle) != 1;
     }},
    {{"SMEM-R09",
      "MN-major 32-bit elements take 128B swizzle with 32-byte atoms alone",
      {{combinations}},
      from_sm_100,
      ""},
     "swizzle",
     [](uint64_t word, const SmemUse& use) {
       return !use.mn_major.value_or(false) || use.element_bits.value_or(0) != 32 ||
              get_raw(word, smem::swizzle) == 1;
     }},
    {{"SMEM-R10",
      "128B swizzle with 32-byte atoms is for MN-major order",
      {{{"ptx", "tcgen05, swizzle atoms"}, {"cutlass", "mma_traits_sm100.hpp, layout atoms"}}},
      from_sm_100,
      "AMB-08"},
     "swizzle",
     [](uint64_t word, const SmemUse& use) {
       return use.mn_major.value_or(true) || get_raw(word, smem::swizzle) != 1;
     }},
    {{"SMEM-R11",
      "start, strides and absolute address are bytes / 16 in 14 bits: higher address bits are dropped",
      {{table, wgmma_addresses}},
      everywhere,
      ""},
     "",
     nullptr},
    {{"SMEM-R12",
      "K-major without swizzle: 8 rows of 16 bytes are adjacent, the stride offset leads to the next 8 rows, "
      "the "
      "leading offset to the next 16 bytes of a row",
      {{canonical, wgmma_addresses}},
      everywhere,
      ""},
     "",
     nullptr},
    {{"SMEM-R13",
      "K-major with swizzle: rows are a swizzle width apart, the stride offset leads to the next 8 rows",
      {{canonical, wgmma_addresses}},
      everywhere,
      ""},
     "",
     nullptr},
    {{"SMEM-R14",
      "MN-major without swizzle: 8 k of 16 bytes are adjacent, the stride offset leads to the next 16 bytes "
      "along "
      "MN, the leading offset to the next 8 k",
      {{canonical, wgmma_addresses}},
      everywhere,
      ""},
     "",
     nullptr},
    {{"SMEM-R15",
      "MN-major with swizzle: lines of one k are a swizzle width apart, the leading offset leads to the next "
      "width "
      "along MN, the stride offset to the next 8 k (4 for 32-byte atoms)",
      {{canonical, wgmma_addresses}},
      everywhere,
      "AMB-32"},
     "",
     nullptr},
    {{"SMEM-R16",
      "the swizzle is one exclusive or on the complete sum of start, strides and offsets, any start that is "
      "a "
      "multiple of 16",
      {{wgmma_addresses, {"cutlass", "mma_traits_sm100.hpp, descriptor iterator"}}},
      everywhere,
      ""},
     "",
     nullptr},
    {{"SMEM-R17",
      "the base offset is subtracted from the number of the 128-byte line before it is reduced to the phase",
      {{repeat, {"h200", "wgmma descriptor, base offset"}}},
      everywhere,
      "AMB-05"},
     "",
     nullptr},
    {{"SMEM-R18",
      "a stride whose index never leaves 0 is not looked at",
      {{{"h200", "wgmma descriptor, dead strides"}}},
      everywhere,
      ""},
     "",
     nullptr},
    {{"SMEM-R19",
      "K-major 32B swizzle: the leading offset leads to the second 32 bytes of a row where an instruction "
      "reads 64",
      {{wgmma_addresses}},
      everywhere,
      "AMB-46"},
     "",
     nullptr},
    {{"SMEM-R20",
      "bytes past the end of a 128-byte row are read at the absolute leading address, from the start of its "
      "rows",
      {{{"cutlass", "sm103_blockscaled_mma_warpspecialized.hpp"}}},
      only_sm_103,
      ""},
     "",
     nullptr},
    {{"SMEM-R21",
      "wgmma ignores bits 14, 15, 30, 31, 46 to 48 and 52 to 61",
      {{{"h200", "wgmma descriptor, reserved bits"}}},
      on_sm_90,
      ""},
     "",
     nullptr},
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

const Descriptor smem_desc{"smem",
                           "shared memory descriptor of tcgen05",
                           64,
                           smem::tcgen05_fields,
                           tcgen05_codes,
                           smem::tcgen05_cite};
const Descriptor wgmma_smem_desc{
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
  return smem_rules;
}

std::vector<RuleBroken> smem_desc_violations(uint64_t word, const SmemUse& use) {
  return rules_broken<SmemUse>(smem_rules, word, use);
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
    if (use.arch == Arch::sm_103) word = with_raw(word, smem::leading_mode, field(smem::leading_mode));
    if (smem_desc_violations(word, use).empty()) return word;
    // A use that no word satisfies (4-bit elements MN-major) would not end.
    if (use.mn_major.value_or(false) && use.element_bits.value_or(8) < 8) return word;
  }
}

}  // namespace assay::spec
