// SPDX-License-Identifier: Apache-2.0
// Any 64 bits as a shared-memory descriptor of tcgen05 and of wgmma: what is read, written, judged and shown
// of it agrees with the bits, and with itself. Input: the word, a byte of use.
#include "reference/spec/smem_desc.h"

#include <bit>

#include "fuzz/target.h"

namespace assay::fuzz {
namespace {

using spec::SmemMatrix;
using spec::SmemUse;

/// Byte of use: bits 1:0 architecture (3: unknown), 4:2 element (5 and above: unknown), 6:5 major (above 1:
/// unknown).
SmemUse use_of(uint8_t byte) {
  SmemUse use;
  constexpr int bits[] = {4, 6, 8, 16, 32};
  if ((byte & 3) < spec::arch_count) use.arch = static_cast<spec::Arch>(byte & 3);
  if ((byte >> 2 & 7) < 5) use.element_bits = bits[byte >> 2 & 7];
  if ((byte >> 5 & 3) < 2) use.mn_major = (byte >> 5 & 3) == 1;
  return use;
}

/// The bit positions once more, written from the documents' picture and not from the table.
void check_positions(uint64_t word, const SmemMatrix& matrix) {
  require(matrix.start == (word & 0x3fff) * 16, "start is bits 13:0 in units of 16 bytes");
  require(matrix.leading_offset == (word >> 16 & 0x3fff) * 16,
          "the leading offset is bits 29:16 in units of 16");
  require(matrix.stride_offset == (word >> 32 & 0x3fff) * 16,
          "the stride offset is bits 45:32 in units of 16");
  require(matrix.base_offset == (word >> 49 & 7), "the base offset is bits 51:49");
}

void check_tcgen05(uint64_t word, const SmemUse& use) {
  const uint64_t broken = spec::smem_desc_rules_broken(word, use);
  const uint64_t least = spec::smem_desc_rules_broken(word, {});
  require((least & ~broken) == 0, "what is broken for every use is broken for one use");
  // Cells: which two rules are broken together; what the modes are, together.
  for (uint64_t all = broken; all != 0; all &= all - 1)
    for (uint64_t others = all; others != 0; others &= others - 1)
      hit_cell(static_cast<uint32_t>(std::countr_zero(all) * 32 + std::countr_zero(others)));
  hit_cell(1024 +
           static_cast<uint32_t>((word >> 61) * 32 + (word >> 52 & 1) * 16 + ((word >> 49 & 7) != 0) * 8 +
                                 ((word >> 46 & 7) == 1) * 4 + (use.mn_major ? *use.mn_major : 2)));

  const uint64_t swizzle = word >> 61;
  const auto matrix = spec::decode_smem_desc(word);
  using namespace spec::smem_swizzle;
  require(matrix.has_value() == (swizzle == none || swizzle == by_128B_atom32B || swizzle == by_128B ||
                                 swizzle == by_64B || swizzle == by_32B),
          "a word is read when its swizzle code has a meaning");
  bool fields_allow = true;
  for (const spec::Field& field : spec::smem_desc.fields)
    fields_allow &= spec::allows(spec::smem_desc, field, spec::get_raw(word, field));
  require(fields_allow || least != 0, "a field that is not allowed breaks a rule");
  if (!matrix) {
    require(least != 0, "a word that is not read breaks a rule");
    return;
  }
  ++counts().past_parser;
  check_positions(word, *matrix);
  require(matrix->leading_is_absolute == (word >> 52 & 1), "bit 52 is the mode of the leading offset");
  const uint64_t again = spec::encode_smem_desc(*matrix);
  constexpr uint64_t reserved = 0x1fe0'0000'c000'c000, version = uint64_t{7} << 46;
  require(again == ((word & ~reserved & ~version) | uint64_t{1} << 46),
          "written again, the word is the same");
  require(least != 0 || again == word, "a legal word is written again bit by bit");
}

void check_wgmma(uint64_t word) {
  const SmemMatrix matrix = spec::decode_wgmma_smem_desc(word);
  check_positions(word, matrix);
  constexpr uint32_t widths[] = {16, 128, 64, 32};
  require(matrix.swizzle->width == widths[word >> 62], "bits 63:62 are the swizzle of wgmma");
  constexpr uint64_t ignored = 0x3ff1'c000'c000'c000;
  require(spec::encode_wgmma_smem_desc(matrix) == (word & ~ignored),
          "written again, wgmma's word is the same");
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  ++fuzz::counts().inputs;
  const uint64_t word = fuzz::read_word(data, size, 8);
  fuzz::check_tcgen05(word, fuzz::use_of(size > 8 ? data[8] : 0xff));
  fuzz::check_wgmma(word);
  return 0;
}
