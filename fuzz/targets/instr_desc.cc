// SPDX-License-Identifier: Apache-2.0
// Any 32 bits as an instruction descriptor of every kind of tcgen05.mma: what is read, written and judged of
// it agrees with the bits, with itself, and with the emulator, which reads words by itself. Input: the word,
// the kind, a byte of use, the form in which the emulator is asked.
#include "reference/spec/instr_desc.h"

#include <bit>

#include "devices/emulator/tensor/tcgen05_desc.h"
#include "fuzz/target.h"
#include "fuzz/words/instr_desc.h"

namespace assay::fuzz {
namespace {

using spec::InstrDesc;
using spec::InstrUse;
using spec::MmaKind;

/// Byte of use: bits 1:0 architecture (3: unknown), 3:2 CTA group (0 and 3: unknown), 5:4 ws and 7:6 sparse
/// (above 1: unknown).
InstrUse use_of(MmaKind kind, uint8_t byte) {
  InstrUse use{.kind = kind};
  if ((byte & 3) < spec::arch_count) use.arch = static_cast<spec::Arch>(byte & 3);
  if (const int group = byte >> 2 & 3; group == 1 || group == 2) use.cta_group = group;
  if ((byte >> 4 & 3) < 2) use.ws = (byte >> 4 & 1) != 0;
  if ((byte >> 6) < 2) use.sparse = (byte >> 6 & 1) != 0;
  return use;
}

/// The bit positions once more, written from the documents' picture and not from the table.
void check_positions(uint32_t word, MmaKind kind, const InstrDesc& desc) {
  const bool is_mx = spec::row_of(kind).is_mx;
  require(desc.sparse == (word >> 2 & 1), "bit 2 is sparsity");
  require(desc.negate_a == (word >> 13 & 1) && desc.negate_b == (word >> 14 & 1), "bits 13 and 14 negate");
  require(desc.transpose_a == (word >> 15 & 1) && desc.transpose_b == (word >> 16 & 1),
          "bits 15 and 16 transpose");
  require(desc.n == static_cast<int>(word >> 17 & 0x3f) * 8, "N / 8 is bits 22:17");
  if (is_mx) {
    require(desc.m == static_cast<int>(word >> 27 & 3) * 128, "M / 128 is bits 28:27");
    require(desc.b_scale_id == (word >> 4 & 3) && desc.a_scale_id == (word >> 29 & 3),
            "scale ids are bits 5:4 and 30:29");
    require(desc.k96 == (spec::row_of(kind).is_packed && word >> 31), "bit 31 is K of the 4-bit kinds");
    require((desc.scale == &spec::format("ue8m0")) == (word >> 23 & 1), "bit 23 is the scale's type");
  } else {
    constexpr uint32_t shifts[] = {0, 8, 16, 32};
    require(desc.m == static_cast<int>(word >> 24 & 0x1f) * 16, "M / 16 is bits 28:24");
    require(desc.saturate == (word >> 3 & 1), "bit 3 saturates");
    require(desc.sparsity_selector == (word & 3), "bits 1:0 select the sparsity");
    require(desc.max_shift == shifts[word >> 30], "bits 31:30 are the largest shift");
  }
}

/// Bits that no field of the kind reads back, from the documents' pictures.
uint32_t reserved_bits(MmaKind kind) {
  if (!spec::row_of(kind).is_mx) return 0x2080'0040;
  return spec::row_of(kind).is_packed ? 0x0700'104b : 0x8700'004b;
}

/// `least`: the rules that the word breaks for every use of the kind.
void check(uint32_t word, const InstrUse& use, uint64_t least) {
  const MmaKind kind = use.kind;
  const uint64_t broken = spec::instr_desc_rules_broken(word, use);
  require((least & ~broken) == 0, "what is broken for every use is broken for one use");
  for (uint64_t all = broken; all != 0; all &= all - 1)
    hit_cell(static_cast<uint32_t>(kind) * 256 + static_cast<uint32_t>(std::countr_zero(all)) * 4 +
             (use.arch ? static_cast<uint32_t>(*use.arch) : 3));

  const auto desc = spec::decode_instr_desc(kind, word);
  if (!desc) {
    require(least != 0, "a word that is not read breaks a rule");
    return;
  }
  ++counts().past_parser;
  hit_cell(2048 + (static_cast<uint32_t>(kind) * 64 + (word >> 7 & 7) * 8 + (word >> 10 & 7)) * 8 +
           (broken == 0 ? 4 : 0) + (word >> 2 & 1) * 2 + (word >> 15 & 1));
  check_positions(word, kind, *desc);
  const uint32_t again = spec::encode_instr_desc(kind, *desc);
  require(again == (word & ~reserved_bits(kind)), "written again, the word is the same");
  require(least != 0 || again == word, "a legal word is written again bit by bit");
}

/// The emulator refuses a dense word that breaks a rule, but for two things that its decoder cannot know: f16
/// and tf32 are one opcode, and 4- and 6-bit matrices are refused, when transposed, with their own
/// descriptor.
bool emulator_waits(uint32_t word, MmaKind kind) {
  const uint32_t a = word >> 7 & 7, b = word >> 10 & 7;
  if (kind == MmaKind::f16) return a == 2 && b == 2;
  if (kind == MmaKind::tf32) return a != 2 || b != 2;
  return kind == MmaKind::f8f6f4 && ((word >> 15 & 1 && a >= 3) || (word >> 16 & 1 && b >= 3));
}

/// `form`: a pair of CTAs 4, A in tensor memory 2, .ws 1; a pair has no .ws.
void compare_with_emulator(uint32_t word, MmaKind kind, uint32_t form, uint64_t least) {
  if (spec::row_of(kind).is_mx) return;
  const int group = form & 4 ? 2 : 1;
  const bool ws = form & 1, a_in_tmem = form & 2;
  if (ws && group == 2) return;
  const bool legal =
      least == 0 &&
      spec::instr_desc_rules_broken(word, {kind, spec::Arch::sm_100, group, ws, false, a_in_tmem, {}}) == 0;
  const auto read = emulator::decode_instruction_descriptor(
      word, {static_cast<emulator::MmaKind>(kind), static_cast<uint32_t>(group), ws, a_in_tmem},
      emulator::Target::sm_100, {});
  const bool taken = std::holds_alternative<emulator::InstructionDescriptor>(read);
  require(taken || !legal, "the emulator takes every legal word");
  require(!taken || legal || emulator_waits(word, kind), "the emulator refuses what breaks a rule");
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  using namespace assay::fuzz;
  ++counts().inputs;
  const auto word = static_cast<uint32_t>(read_word(data, size, 4));
  const MmaKind kind = kind_of(data, size);
  const uint64_t least = spec::instr_desc_rules_broken(word, {.kind = kind});
  check(word, use_of(kind, size > 5 ? data[5] : 0xff), least);
  compare_with_emulator(word, kind, size > 6 ? data[6] : 0, least);
  return 0;
}
