// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "devices/emulator/gpu.h"
#include "devices/emulator/readings.h"
#include "reference/spec/field.h"
#include "reference/spec/formats.h"
#include "reference/spec/instr_desc.h"

namespace assay::emulator {

/// The number that a field of a descriptor of up to 64 bits holds.
inline uint32_t field(uint64_t word, const spec::Field& field) {
  return static_cast<uint32_t>(word >> field.parts[0].lsb & spec::low_bits(field.parts[0].width));
}

using spec::MmaKind;

/// What this device does with a kind: read out of the PTX ISA 9.0 apart from the table of spec/mma_kinds.h,
/// of which it takes the names alone. In the order of MmaKind.
struct KindFacts {
  bool is_scaled = false;
  bool is_packed = false;    ///< elements of 4 bits lie without padding
  bool holds_bytes = false;  ///< a byte each for 8, 6 and 4 bits
  bool is_integer = false;
  bool takes_factor = false;  ///< of D, and a sparsity selector
  bool may_be_ue4m3 = false;  ///< scales of 16 elements
  struct Scaling {
    std::string_view qualifier;
    uint32_t block;
  };
  std::array<Scaling, 4> scalings{};  ///< those behind the last have block 0
};
inline constexpr std::array<KindFacts, spec::mma_kinds.size()> kind_facts{{
    {.takes_factor = true},
    {.takes_factor = true},
    {.holds_bytes = true},
    {.is_integer = true},
    {.is_scaled = true,
     .holds_bytes = true,
     .scalings = {{{"", 32}, {"scale_vec::1X", 32}, {"block32", 32}}}},
    {.is_scaled = true, .is_packed = true, .scalings = {{{"", 32}, {"scale_vec::2X", 32}, {"block32", 32}}}},
    {.is_scaled = true,
     .is_packed = true,
     .may_be_ue4m3 = true,
     .scalings = {{{"scale_vec::2X", 32}, {"block32", 32}, {"scale_vec::4X", 16}, {"block16", 16}}}},
}};
constexpr const KindFacts& facts_of(MmaKind kind) {
  return kind_facts[static_cast<size_t>(kind)];
}
constexpr bool has_block_scaling(MmaKind kind) {
  return facts_of(kind).is_scaled;
}

/// What an opcode of tcgen05.mma says.
struct MmaForm {
  MmaKind kind = MmaKind::f16;
  uint32_t cta_group = 1;
  bool is_ws = false;
  bool a_in_tmem = false;
  bool shifts_a = false;     ///< .ashift
  bool is_sparse = false;    ///< .sp
  bool reuses_b = false;     ///< .collector::bN::use or ::lastuse
  uint32_t scale_block = 0;  ///< elements of K with one scale: 16, 32; 0 without .block_scale
};

/// A decoded instruction descriptor.
struct InstructionDescriptor {
  const spec::Format* a = nullptr;
  const spec::Format* b = nullptr;
  const spec::Format* d = nullptr;
  uint32_t m = 0, n = 0;
  bool transpose_a = false, transpose_b = false, negate_a = false, negate_b = false;
  bool saturates = false;
  uint32_t max_shift = 0;  ///< columns
  // Block-scaled kinds.
  const spec::Format* scale = nullptr;
  uint32_t a_scale_id = 0, b_scale_id = 0;
  bool is_packed = false;          ///< elements of 4 bits lie without padding
  bool is_k96 = false;             ///< 48 bytes of each operand
  bool is_sparse = false;          ///< A holds one half of K
  uint32_t sparsity_selector = 0;  ///< kinds f16 and tf32
  /// Products of one instruction: 32 bytes of A as it is stored, and of a B that meets all of A.
  uint32_t k() const {
    if (is_packed) return is_k96 ? 96 : 64;
    return 256 / (a->storage_bits < 8 ? 8u : static_cast<uint32_t>(a->storage_bits));
  }
  /// Elements of a column of B.
  uint32_t b_k() const { return is_sparse ? 2 * k() : k(); }
  /// Columns of tensor memory that hold so many elements of A.
  uint32_t a_columns() const { return is_k96 ? 12 : 8; }
};

/// Which field of a word is wrong for a form. Words are refused by the million and the sentence is seldom
/// read: it is made when it is.
struct DescriptorRefusal {
  uint32_t word;
  std::string_view what;  ///< '#': the next of the numbers
  std::array<uint32_t, 2> numbers{};
  std::string sentence() const;
};

/// The descriptor, or what is wrong with it for this form.
std::variant<InstructionDescriptor, DescriptorRefusal> decode_instruction_descriptor(
    uint32_t word, const MmaForm& form, Target target, const DeviceReadings& readings);

/// The same for the kinds with .block_scale, whose descriptor has other fields.
std::variant<InstructionDescriptor, DescriptorRefusal> decode_scaled_descriptor(
    uint32_t word, const MmaForm& form, Target target, const DeviceReadings& readings);

/// A decoded zero-column mask of tcgen05.mma.ws.
struct ColumnMask {
  std::array<uint32_t, 4> start_count{};
  std::array<bool, 4> starts_zeroed{};
  bool bit_39 = false;
  uint32_t skip_span = 1, use_span = 1;  ///< columns
  uint32_t shift = 0;                    ///< columns
};

/// The mask, or a sentence on the field that is wrong.
std::variant<ColumnMask, std::string> decode_column_mask(uint64_t word);

/// One entry for each column of B: 1 where it counts as zeros. An instruction of M rows has 128 / M masks for
/// equal parts of the N columns (ptx, Zero-Column Mask Descriptor).
std::vector<uint8_t> zeroed_columns(const ColumnMask& mask, uint32_t m, uint32_t n,
                                    const DeviceReadings& readings);

/// Where the accumulator of an instruction lies in tensor memory (ptx, tcgen05, Data Path Layout
/// Organization; layouts A to G). Rows are dealt out to the CTAs and there to lanes; the columns of D are cut
/// into as many pieces as there are groups of lanes, and piece g lies `group_lanes` * g further down.
struct AccumulatorLayout {
  char name = 'D';
  uint32_t cta_rows = 128;    ///< rows of a CTA
  bool is_scattered = false;  ///< 16 rows in every 32 lanes, so that the base may be lane 0 or 16
  uint32_t groups = 1;
  uint32_t group_lanes = 0;
  uint32_t group_columns = 0;  ///< columns of D in a group, and of tensor memory in all

  /// Lane of a row of a CTA in group 0, counted from the lane of the address.
  uint32_t lane(uint32_t row) const { return is_scattered ? row / 16 * 32 + row % 16 : row; }
};

/// The layout of a legal form and shape.
AccumulatorLayout accumulator_layout(const MmaForm& form, uint32_t m, uint32_t n);

}  // namespace assay::emulator
