#include "reference/model/gemm.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "reference/model/adder_evidence.h"
#include "reference/model/element_steps.h"
#include "reference/model/tcgen05_mma_form.h"
#include "reference/numerics/fast.h"
#include "reference/numerics/instructions.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

constexpr uint32_t instruction_bytes = 32, stage_bytes = 128;

constexpr const spec::Format* formats_by_type[] = {&spec::format("f16"), &spec::format("bf16"),
                                                   &spec::format("e4m3")};

uint32_t to_piece(uint32_t bytes) {
  return (bytes + 15) / 16 * 16;
}

/// Codes of the rows of one operand that one instruction reads.
class Operand {
 public:
  Operand(std::span<const std::byte> bytes, uint32_t rows, uint32_t pitch, uint32_t row_bytes)
      : bytes_(bytes), rows_(rows), pitch_(pitch), row_bytes_(row_bytes) {}

  void gather(uint32_t first_byte, uint32_t element_bytes, std::vector<uint32_t>& codes) const {
    codes.clear();
    for (uint32_t row = 0; row < rows_; ++row)
      for (uint32_t at = first_byte; at < first_byte + instruction_bytes; at += element_bytes) {
        uint32_t code = 0;
        if (at < row_bytes_) std::memcpy(&code, &bytes_[uint64_t{row} * pitch_ + at], element_bytes);
        codes.push_back(code);
      }
  }

 private:
  const std::span<const std::byte> bytes_;
  const uint32_t rows_, pitch_, row_bytes_;
};

/// The instruction that the pipeline issues, for the rules about it.
Tcgen05MmaCase instruction_of(const GemmCase& c) {
  Tcgen05MmaCase mma;
  mma.kind = c.type == 2 ? 2 : 0;
  mma.a_type = mma.b_type = c.type == 1 ? 1 : 0;
  mma.cta_group = c.cta_group;
  mma.m = 128 * c.cta_group;
  mma.n = c.tile_n;
  mma.a.swizzle = mma.b.swizzle = 2;
  mma.a.leading_offset = mma.b.leading_offset = 16;
  mma.a.stride_offset = mma.b.stride_offset = 1024;
  return mma;
}

/// Of the instructions of 32 bytes of K.
numerics::Types types_of(const GemmCase& c) {
  const spec::Format& format = *formats_by_type[c.type];
  return {&format, &format, &spec::format("f32"),
          static_cast<int>(instruction_bytes) * 8 / format.storage_bits};
}
uint32_t row_bytes_of(const GemmCase& c) {
  return c.k * static_cast<uint32_t>(formats_by_type[c.type]->storage_bits) / 8;
}
uint32_t instructions_of(const GemmCase& c) {
  return (row_bytes_of(c) + stage_bytes - 1) / stage_bytes * (stage_bytes / instruction_bytes);
}
numerics::Arithmetic arithmetic_of(const GemmCase& c, const spec::Readings& readings) {
  const numerics::Types types = types_of(c);
  numerics::Arithmetic arithmetic = numerics::find_instruction("tcgen05", types, false)->arithmetic;
  choose_exponents({types.a, types.b, types.d}, readings, arithmetic);
  choose_zero_sign(readings, arithmetic);
  return arithmetic;
}

/// Element k of a row that begins at a byte of the pattern; +0 behind the row.
uint32_t element_of(const OperandPattern& fill, const PatternWords& source, uint64_t row_begin, uint32_t k,
                    uint32_t element_bytes, uint32_t row_bytes) {
  if (k * element_bytes >= row_bytes) return 0;
  const uint64_t at = row_begin + uint64_t{k} * element_bytes;
  uint32_t word = 0;
  source.range(fill, at / 4, {&word, 1});
  return word >> (at % 4 * 8) & ((1u << element_bytes * 8) - 1);
}

}  // namespace

bool fits_rig(const GemmCase& c) {
  const auto extent = [](uint32_t e) { return e >= 1 && e <= most_gemm_extent; };
  const bool tile =
      c.tile_n == 32 || c.tile_n == 64 || c.tile_n == 128 || (c.tile_n == 256 && c.cta_group == 2);
  return c.type < 3 && (c.cta_group == 1 || c.cta_group == 2) && tile && extent(c.m) && extent(c.n) &&
         extent(c.k) && c.a_gap < 64 && c.b_gap < 64 && c.d_gap < 64;
}

const spec::Format& operand_format(const GemmCase& c) {
  return *formats_by_type[c.type];
}

GemmPitches pitches_of(const GemmCase& c) {
  const uint32_t row = to_piece(c.k * static_cast<uint32_t>(operand_format(c).storage_bits) / 8);
  return {row + c.a_gap * 16, row + c.b_gap * 16, to_piece(c.n * 4) + c.d_gap * 16};
}

spec::RuleSet predict_gemm(const GemmCase& c, const spec::Readings& readings, std::span<const std::byte> a,
                           std::span<const std::byte> b, std::span<std::byte> d,
                           std::span<std::byte> defined) {
  const uint32_t element_bytes = static_cast<uint32_t>(operand_format(c).storage_bits) / 8;
  const uint32_t row_bytes = row_bytes_of(c), instructions = instructions_of(c);
  const GemmPitches pitch = pitches_of(c);
  const numerics::Types types = types_of(c);
  const numerics::Arithmetic arithmetic = arithmetic_of(c, readings);

  const Operand of_a(a, c.m, pitch.a, row_bytes), of_b(b, c.n, pitch.b, row_bytes);
  thread_local std::vector<uint32_t> a_codes, b_codes, sum, next;
  spec::RuleSet rules = exercised_mma_rules(instruction_of(c), readings.arch());
  for (const spec::RuleIndex sync : {spec::rule("SYNC-R02"), spec::rule("SYNC-R03"), spec::rule("MBAR-R11")})
    rules.set(sync);
  sum.assign(size_t{c.m} * c.n, 0);
  next.resize(sum.size());
  for (uint32_t i = 0; i < instructions; ++i) {
    of_a.gather(i * instruction_bytes, element_bytes, a_codes);
    of_b.gather(i * instruction_bytes, element_bytes, b_codes);
    const numerics::Tile tile{static_cast<int>(c.m), static_cast<int>(c.n), a_codes, b_codes, sum, {}, {}, 0};
    numerics::fast_tile(arithmetic, types, tile, next);
    const std::span<const uint32_t> c = i == 0 ? std::span<const uint32_t>() : std::span<const uint32_t>(sum);
    note_adder_rules({types, arithmetic, a_codes, b_codes, c, next, i != 0}, rules);
    sum.swap(next);
  }
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  for (uint32_t row = 0; row < c.m; ++row) {
    std::byte* const to = &d[uint64_t{row} * pitch.d];
    std::memcpy(to, &sum[size_t{row} * c.n], size_t{c.n} * 4);
    std::fill_n(&defined[uint64_t{row} * pitch.d + c.n * 4], to_piece(c.n * 4) - c.n * 4, std::byte{0});
  }
  return rules;
}

ElementSteps steps_of(const GemmCase& c, const spec::Readings& readings, const PatternWords& source,
                      uint32_t row, uint32_t column) {
  const GemmPitches pitch = pitches_of(c);
  ElementSteps element;
  element.row = row, element.column = column;
  element.types = types_of(c);
  element.arithmetic = arithmetic_of(c, readings);
  const auto per_instruction = static_cast<uint32_t>(element.types.k);
  const uint32_t element_bytes = instruction_bytes / per_instruction, row_bytes = row_bytes_of(c);
  for (uint32_t i = 0; i < instructions_of(c); ++i) {
    InstructionSteps next;
    for (uint32_t k = i * per_instruction; k < (i + 1) * per_instruction; ++k) {
      next.a.push_back(element_of(c.a_fill, source, uint64_t{row} * pitch.a, k, element_bytes, row_bytes));
      next.b.push_back(element_of(c.b_fill, source, uint64_t{column} * pitch.b, k, element_bytes, row_bytes));
    }
    next.reads_c = i != 0;
    if (next.reads_c) next.c = element.instructions.back().d;
    element.add(std::move(next));
  }
  return element;
}

}  // namespace assay::model
