// SPDX-License-Identifier: Apache-2.0
#include "reference/model/pipeline/gemm.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <vector>

#include "reference/model/as_if.h"
#include "reference/model/mma/adder_evidence.h"
#include "reference/model/mma/element_steps.h"
#include "reference/model/mma/mma.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

constexpr uint32_t instruction_bytes = 32, stage_bytes = 128;
constexpr uint32_t elements_of_unpacked_row = 128;  ///< a multiple of this
constexpr spec::Reduction add_f32{spec::ReduceOp::add, spec::ReduceType::f32};
constexpr uint32_t bytes_of_metadata_tile = 2048;
/// Of the types that may be sparse: a stage holds half of them, 16 bits each.
constexpr uint32_t sparse_elements_of_stage = 2 * stage_bytes * 8 / 16;
constexpr uint32_t rows_of_tile = 128, scales_of_tile = 4, bytes_of_tile = 512;

using namespace spec::type_code;

/// The instruction of a type: kind, codes of the types, scales of a row, and the code of their format.
struct Row {
  spec::MmaKind kind;
  uint32_t a_type, b_type;
  uint32_t scale_vector = 0, scale_type = ue8m0;
  bool is_sparse = false;
  bool has_element_types = false;  ///< the case says which of f8f6f4 A and B are
};
constexpr Row rows_by_type[] = {{spec::MmaKind::f16, f16, f16},
                                {spec::MmaKind::f16, bf16, bf16},
                                {spec::MmaKind::f8f6f4, e4m3, e4m3, 0, ue8m0, false, true},
                                {spec::MmaKind::mxf8f6f4, e4m3, e4m3, 1, ue8m0, false, true},
                                {spec::MmaKind::mxf8f6f4, e5m2, e4m3, 1},
                                {spec::MmaKind::mxf4, packed_e2m1, packed_e2m1, 2},
                                {spec::MmaKind::mxf4nvf4, packed_e2m1, packed_e2m1, 2},
                                {spec::MmaKind::mxf4nvf4, packed_e2m1, packed_e2m1, 4},
                                {spec::MmaKind::mxf4nvf4, packed_e2m1, packed_e2m1, 4, ue4m3},
                                {spec::MmaKind::f16, f16, f16, 0, ue8m0, true},
                                {spec::MmaKind::f16, bf16, bf16, 0, ue8m0, true}};
static_assert(std::size(rows_by_type) == gemm_types);

uint32_t to_piece(uint32_t bytes, uint32_t piece = 16) {
  return (bytes + piece - 1) / piece * piece;
}

/// Of a row in global memory.
uint32_t row_elements(const GemmCase& c, bool is_a) {
  if (is_sparse(c) && is_a) return c.k / 2;
  return is_unpacked(c, is_a) ? to_piece(c.k, elements_of_unpacked_row) : c.k;
}
/// The instruction that the pipeline issues, for the rules about it.
Tcgen05MmaCase instruction_of(const GemmCase& c) {
  const Row& row = rows_by_type[c.type];
  Tcgen05MmaCase mma;
  mma.kind = row.kind;
  mma.a_type = has_element_types(c) ? c.a_type : row.a_type;
  mma.b_type = has_element_types(c) ? c.b_type : row.b_type;
  mma.cta_group = c.cta_group;
  mma.m = 128 * c.cta_group;
  mma.n = c.tile_n;
  mma.a.swizzle = mma.b.swizzle = 2;
  mma.a.leading_offset = mma.b.leading_offset = 16;
  mma.a.stride_offset = mma.b.stride_offset = 1024;
  mma.scale_vector = row.scale_vector;
  mma.scale_type = row.scale_type;
  mma.scales_copied = row.scale_vector != 0;
  mma.sparse = row.is_sparse;
  mma.steps = stage_bytes / instruction_bytes;
  return mma;
}

/// What follows from the type of a case, for each element of D.
struct Chain {
  Chain(const GemmCase& c, const spec::Readings& readings)
      : instruction(instruction_of(c)),
        types(types_of(instruction)),
        arithmetic(numerics::find_instruction("tcgen05", types, false)->arithmetic),
        b_k(static_cast<uint32_t>(stored_k(instruction, false))),
        a_elements(row_elements(c, true)),
        b_elements(row_elements(c, false)),
        count(stages_of_row(c) * (stage_bytes / instruction_bytes)),
        scale_pitch(scale_pitch_of(c)) {
    choose_exponents({types.a, types.b, types.d}, readings, arithmetic);
    choose_scaled_arithmetic(instruction, readings, arithmetic);
    choose_zero_sign(readings, arithmetic);
    for (uint32_t member = 0; member < 2; ++member)
      scales_of_member[member] =
          c.cta_group == 2 ? scale_copy_source(instruction, readings, scale_copy_shape, member) : member;
  }
  uint32_t k() const { return static_cast<uint32_t>(types.k); }
  uint32_t scales() const { return static_cast<uint32_t>(types.scale_count()); }

  /// Element k of a row as it lies in memory; +0 behind its end.
  uint32_t element(std::span<const std::byte> row, uint32_t at, bool is_a) const {
    if (at >= (is_a ? a_elements : b_elements)) return 0;
    const auto bits = static_cast<uint32_t>((is_a ? types.a : types.b)->storage_bits);
    // From the lowest bit of the row on; one of 6 bits may lie in two bytes.
    const uint32_t first = at * bits / 8, last = (at * bits + bits - 1) / 8;
    uint32_t code = 0;
    std::memcpy(&code, &row[first], last - first + 1);
    return code >> at * bits % 8 & ((1u << bits) - 1);
  }

  /// The row of scales that a row of D takes for A: a CTA multiplies by those that its copies brought.
  uint32_t a_scale_row(uint32_t row) const {
    const uint32_t member = row / rows_of_tile % 2;
    return row - member * rows_of_tile + scales_of_member[member] * rows_of_tile;
  }
  /// Byte of scale s of a row; nothing behind the last tile along K or of the rows, where all bytes are 0.
  std::optional<uint64_t> scale_byte(uint32_t row, uint32_t s, uint32_t rows) const {
    const uint32_t tile = s / scales_of_tile * bytes_of_tile, block = row / rows_of_tile;
    if (tile >= scale_pitch || block * rows_of_tile >= rows) return std::nullopt;
    return uint64_t{block} * scale_pitch + tile + row % 32 * 16 + row % rows_of_tile / 32 * 4 +
           s % scales_of_tile;
  }

  /// The codes of a row of a sparse A for one instruction, from the metadata of all rows of A or of its
  /// block.
  RowCodes codes(const spec::Readings& readings, std::span<const std::byte> metadata, uint32_t row,
                 uint32_t i) const {
    const uint32_t steps = stage_bytes / instruction_bytes;
    const std::span<const std::byte> tile = metadata.subspan(i / steps * bytes_of_metadata_tile);
    const auto cell = [&](int lane, int column) {
      uint32_t word = 0;
      std::memcpy(&word, &tile[static_cast<size_t>(lane) * 16 + static_cast<size_t>(column) * 4], 4);
      return word;
    };
    return row_codes(instruction, *d_layout_of(instruction), readings, nullptr, i % steps,
                     static_cast<int>(row % rows_of_tile), 0, cell);
  }

  Tcgen05MmaCase instruction;
  numerics::Types types;  ///< of the instructions of 32 bytes of K
  numerics::Arithmetic arithmetic;
  uint32_t b_k, a_elements, b_elements, count, scale_pitch;
  uint32_t scales_of_member[2];
};

/// One operand: the codes of an instruction, its scales, and the elements with the signs that scales give.
class Operand {
 public:
  Operand(const Chain& chain, const spec::Readings& readings, std::span<const std::byte> bytes,
          std::span<const std::byte> scale_bytes, uint32_t rows, uint32_t pitch, bool is_a)
      : chain_(chain),
        readings_(readings),
        bytes_(bytes),
        scale_bytes_(scale_bytes),
        rows_(rows),
        pitch_(pitch),
        is_a_(is_a) {}

  void gather(uint32_t instruction) {
    const uint32_t k = is_a_ ? chain_.k() : chain_.b_k, scales = chain_.scales();
    codes.clear();
    this->scales.clear();
    for (uint32_t row = 0; row < rows_; ++row) {
      const std::span<const std::byte> from = bytes_.subspan(uint64_t{row} * pitch_);
      for (uint32_t i = 0; i < k; ++i) codes.push_back(chain_.element(from, instruction * k + i, is_a_));
      for (uint32_t s = 0; s < scales; ++s) {
        const auto at =
            chain_.scale_byte(is_a_ ? chain_.a_scale_row(row) : row, instruction * scales + s, rows_);
        const uint8_t code = at ? static_cast<uint8_t>(scale_bytes_[*at]) : uint8_t{0};
        const ScaleCode read = read_scale(*chain_.types.scale, code, readings_);
        this->scales.push_back(read.code);
        if (!read.negates) continue;
        const auto block = static_cast<uint32_t>(chain_.types.scale_block);
        for (uint32_t i = s * block; i < (s + 1) * block; ++i)
          codes[size_t{row} * k + i] ^=
              static_cast<uint32_t>((is_a_ ? chain_.types.a : chain_.types.b)->sign_bit());
      }
    }
  }

  std::vector<uint32_t> codes;
  std::vector<uint8_t> scales;

 private:
  const Chain& chain_;
  const spec::Readings& readings_;
  const std::span<const std::byte> bytes_, scale_bytes_;
  const uint32_t rows_, pitch_;
  const bool is_a_;
};

/// Bytes of a pattern, of a row from its begin.
std::vector<std::byte> pattern_bytes(const OperandPattern& fill, const PatternWords& source, uint64_t begin,
                                     uint32_t count) {
  std::vector<uint32_t> words((count + 3) / 4);
  source.range(fill, begin / 4, words);
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace

bool is_scaled(const GemmCase& c) {
  return rows_by_type[c.type].scale_vector != 0;
}

bool is_sparse(const GemmCase& c) {
  return rows_by_type[c.type].is_sparse;
}
uint32_t k_unit(const GemmCase& c) {
  if (is_unpacked(c, true) && is_unpacked(c, false)) return elements_of_unpacked_row;
  return is_sparse(c) ? 4 : shared_bits(c) == 4 ? 2 : 1;
}
uint32_t stages_of_row(const GemmCase& c) {
  return (row_elements(c, true) * shared_bits(c) / 8 + stage_bytes - 1) / stage_bytes;
}
bool has_element_types(const GemmCase& c) {
  return rows_by_type[c.type].has_element_types;
}
bool is_unpacked(const GemmCase& c, bool is_a) {
  return has_element_types(c) && operand_format(c, is_a).storage_bits < 8;
}
uint32_t shared_bits(const GemmCase& c) {
  return has_element_types(c) ? 8 : static_cast<uint32_t>(operand_format(c).storage_bits);
}

bool fits_rig(const GemmCase& c) {
  const auto extent = [](uint32_t e) { return e >= 1 && e <= most_gemm_extent; };
  if (c.type >= gemm_types || (c.cta_group != 1 && c.cta_group != 2)) return false;
  for (const uint32_t code : {c.a_type, c.b_type})
    if (code != 0 && (!has_element_types(c) || !is_f8f6f4(code))) return false;
  if (c.asking >= gemm_ways_to_ask || (c.asking != 0 && !c.launch_control)) return false;
  const uint32_t widest = is_sparse(c) ? 64 * c.cta_group : is_scaled(c) ? 128 : 128 * c.cta_group;
  const bool tile =
      (c.tile_n == 32 || c.tile_n == 64 || c.tile_n == 128 || c.tile_n == 256) && c.tile_n <= widest;
  return tile && extent(c.m) && extent(c.n) && extent(c.k) && c.k % k_unit(c) == 0 && c.a_gap < 64 &&
         c.b_gap < 64 && c.d_gap < 64;
}

const spec::Format& operand_format(const GemmCase& c, bool is_a) {
  const MmaFormats formats = formats_of(instruction_of(c));
  return is_a ? *formats.a : *formats.b;
}
const spec::Format* scale_format(const GemmCase& c) {
  return scale_format(instruction_of(c));
}

GemmPitches pitches_of(const GemmCase& c) {
  const auto of = [&](bool is_a) {
    const uint32_t piece = is_unpacked(c, is_a) ? 32 : 16;
    const uint32_t bits = static_cast<uint32_t>(operand_format(c, is_a).storage_bits);
    return to_piece(row_elements(c, is_a) * bits / 8, piece) + (is_a ? c.a_gap : c.b_gap) * piece;
  };
  return {of(true), of(false), to_piece(c.n * 4) + c.d_gap * 16};
}

uint32_t scale_pitch_of(const GemmCase& c) {
  if (is_sparse(c))
    return (c.k + sparse_elements_of_stage - 1) / sparse_elements_of_stage * bytes_of_metadata_tile;
  if (!is_scaled(c)) return 0;
  const uint32_t of_tile = scales_of_tile * static_cast<uint32_t>(scale_block(instruction_of(c)));
  return (c.k + of_tile - 1) / of_tile * bytes_of_tile;
}

spec::RuleSet predict_gemm(const GemmCase& c, const spec::Readings& readings, const GemmOperands& from,
                           std::span<std::byte> d, std::span<std::byte> defined) {
  const Chain chain(c, readings);
  const GemmPitches pitch = pitches_of(c);
  Operand a(chain, readings, from.a, from.a_scales, c.m, pitch.a, true),
      b(chain, readings, from.b, from.b_scales, c.n, pitch.b, false);
  thread_local std::vector<uint32_t> sum, next, met;
  thread_local std::vector<uint16_t> places;
  std::vector<bool> is_open(c.m);
  spec::RuleSet rules = exercised_mma_rules(chain.instruction, readings.arch());
  for (const spec::RuleIndex sync : {spec::rule("SYNC-R02"), spec::rule("SYNC-R03"), spec::rule("MBAR-R11")})
    rules.set(sync);
  if (c.launch_control)
    for (const spec::RuleIndex control :
         {spec::rule("CLC-R01"), spec::rule("CLC-R02"), spec::rule("CLC-R03"), spec::rule("CLC-R04"),
          spec::rule("CLC-R05"), spec::rule("CLC-R06")})
      rules.set(control);
  if (is_sparse(c)) rules.set(spec::rule("TCP-R01")).set(spec::rule("TCP-R13"));
  if (is_sparse(c) && c.cta_group == 2) rules.set(spec::rule("TCP-R08"));
  for (const bool is_a : {true, false}) {
    if (!is_unpacked(c, is_a)) continue;
    const bool is_6_bits = operand_format(c, is_a).storage_bits == 6;
    rules.set(spec::rule("TILE-R49")).set(is_6_bits ? spec::rule("TILE-R47") : spec::rule("TILE-R46"));
  }
  if (c.reduces) {
    rules.set(spec::rule("TILE-R56"));
    name_reduction_rules(add_f32, rules);
  }
  sum.assign(size_t{c.m} * c.n, 0);
  next.resize(sum.size());
  for (uint32_t i = 0; i < chain.count; ++i) {
    a.gather(i);
    b.gather(i);
    numerics::Tile tile{
        static_cast<int>(c.m), static_cast<int>(c.n), a.codes, b.codes, sum, a.scales, b.scales, 0};
    const auto note = [&](const numerics::Tile& tile, std::span<const uint32_t> d) {
      const std::span<const uint32_t> input = i == 0 ? std::span<const uint32_t>() : tile.c;
      note_adder_rules(
          {chain.types, chain.arithmetic, tile.a, tile.b, input, d, i != 0, 0, tile.scale_a, tile.scale_b},
          rules);
    };
    if (!is_sparse(c)) {
      numerics::fast_tile(chain.arithmetic, chain.types, tile, next);
      note(tile, next);
    } else {
      places.assign(size_t{c.m} * chain.k(), 0);
      for (uint32_t row = 0; row < c.m; ++row) {
        const uint64_t block = chain.a_scale_row(row) / rows_of_tile;
        if (block * rows_of_tile >= c.m) {
          is_open[row] = true;  // a bend leads to metadata of which there are none
          continue;
        }
        const RowCodes codes =
            chain.codes(readings, from.a_scales.subspan(block * chain.scale_pitch), row, i);
        if (!codes.has_meaning) is_open[row] = true;
        met_places(chain.instruction, codes, nullptr,
                   std::span(places).subspan(size_t{row} * chain.k(), chain.k()));
      }
      tile.met = places, tile.stored_k = static_cast<int>(chain.b_k);
      numerics::fast_tile(chain.arithmetic, chain.types, tile, next);
      // Each row of A meets elements of B of its own. Of every eighth what it could refute is noted.
      for (uint32_t row = 0; row < c.m; row += 8)
        if (!is_open[row]) note(dense_row(tile, row, met), std::span(next).subspan(size_t{row} * c.n, c.n));
    }
    sum.swap(next);
  }
  std::fill(defined.begin(), defined.end(), std::byte{0xff});
  for (uint32_t row = 0; row < c.m; ++row) {
    std::byte* const to = &d[uint64_t{row} * pitch.d];
    for (uint32_t column = 0; c.reduces && column < c.n; ++column) {
      uint32_t& of = sum[size_t{row} * c.n + column];
      of = static_cast<uint32_t>(bent_reduction(add_f32, load_element(to + column * 4, 4), of, readings));
    }
    std::memcpy(to, &sum[size_t{row} * c.n], size_t{c.n} * 4);
    if (is_open[row]) std::fill_n(&defined[uint64_t{row} * pitch.d], c.n * 4, std::byte{0});
    std::fill_n(&defined[uint64_t{row} * pitch.d + c.n * 4], to_piece(c.n * 4) - c.n * 4, std::byte{0});
  }
  return rules;
}

ElementSteps steps_of(const GemmCase& c, const spec::Readings& readings, const PatternWords& source,
                      uint32_t row, uint32_t column) {
  const Chain chain(c, readings);
  const GemmPitches pitch = pitches_of(c);
  ElementSteps element;
  element.row = row, element.column = column;
  element.types = chain.types;
  element.arithmetic = chain.arithmetic;
  // One row of each operand, and all tiles of the scales of its block.
  const uint32_t a_row = chain.a_scale_row(row), tiles = chain.scale_pitch;
  const std::vector<std::byte> a = pattern_bytes(c.a_fill, source, uint64_t{row} * pitch.a, pitch.a),
                               b = pattern_bytes(c.b_fill, source, uint64_t{column} * pitch.b, pitch.b),
                               a_scales = pattern_bytes(c.a_scale_fill, source,
                                                        uint64_t{a_row / rows_of_tile} * tiles, tiles),
                               b_scales = pattern_bytes(c.b_scale_fill, source,
                                                        uint64_t{column / rows_of_tile} * tiles, tiles);
  const auto scale = [&](const std::vector<std::byte>& of, uint32_t line, uint32_t s, uint32_t lines,
                         const spec::Format& format, std::vector<uint64_t>& codes) -> ScaleCode {
    const auto at = chain.scale_byte(line, s, lines);
    const uint64_t first = uint64_t{line / rows_of_tile} * tiles;
    const ScaleCode read =
        read_scale(*chain.types.scale, at ? static_cast<uint8_t>(of[*at - first]) : uint8_t{0}, readings);
    const auto block = static_cast<size_t>(chain.types.scale_block);
    for (size_t i = s % chain.scales() * block; read.negates && i < (s % chain.scales() + 1) * block; ++i)
      codes[i] ^= format.sign_bit();
    return read;
  };
  for (uint32_t i = 0; i < chain.count; ++i) {
    InstructionSteps next;
    for (uint32_t k = 0; k < chain.k(); ++k) next.a.push_back(chain.element(a, i * chain.k() + k, true));
    RowCodes codes;
    if (is_sparse(c)) codes = chain.codes(readings, a_scales, row, i);
    for (uint32_t k = 0; k < chain.k(); ++k) {
      const uint32_t met =
          is_sparse(c) ? static_cast<uint32_t>(met_k(chain.instruction, codes, nullptr, static_cast<int>(k)))
                       : k;
      next.b.push_back(chain.element(b, i * chain.b_k + met, false));
    }
    for (uint32_t s = i * chain.scales(); s < (i + 1) * chain.scales(); ++s) {
      next.scale_a.push_back(scale(a_scales, a_row, s, c.m, *chain.types.a, next.a).code);
      next.scale_b.push_back(scale(b_scales, column, s, c.n, *chain.types.b, next.b).code);
    }
    next.reads_c = i != 0;
    if (next.reads_c) next.c = element.instructions.back().d;
    element.add(std::move(next));
  }
  return element;
}

}  // namespace assay::model

/// Bends of the production pipeline: what a wait that is missing, or returns too early, puts in doubt. Of how
/// the stages of a pipeline meet nothing more is known than which products need them; both halves of tensor
/// memory are in use whatever the product, since one launch makes many. Of what goes wrong on the way only
/// that scales and metadata come from another CTA.
namespace assay::model {
namespace {

/// Tiles that the pipeline makes one after the other on each cluster.
constexpr uint32_t cluster_m = 256, clusters = 2, stages = 4;
uint32_t rounds_of(const GemmCase& c) {
  const uint32_t cluster_n = c.tile_n * c.cta_group;
  const uint32_t tiles = (c.m + cluster_m - 1) / cluster_m * ((c.n + cluster_n - 1) / cluster_n);
  return (tiles + clusters - 1) / clusters;
}
uint32_t stages_of(const GemmCase& c) {
  return stages_of_row(c) * rounds_of(c);
}
bool always(const GemmCase&) {
  return true;
}
/// Its tiles are handed out to clusters as others are cancelled.
bool is_launch_controlled(const GemmCase& c) {
  return c.launch_control;
}
bool uses_a_stage_again(const GemmCase& c) {
  return stages_of(c) > stages;
}
/// A warp has two boxes of 32 columns to store from.
bool uses_a_box_again(const GemmCase& c) {
  return c.tile_n / 32 * rounds_of(c) > 2;
}

constexpr Bend rows[] = {
    as_if("CLC-R03", "an answer named another cluster", &ProgramBend::spoils, is_launch_controlled),
    as_if("CLC-R02", "an answer told the reverse of what was cancelled", &ProgramBend::spoils,
          is_launch_controlled),
    as_if("CLC-R01", "a cluster that was cancelled ran", &ProgramBend::spoils, is_launch_controlled),
    as_if("SYNC-R01", "D were read before its products were complete", &ProgramBend::spoils, always),
    as_if("MBAR-R11", "a stage were used before its loads were complete", &ProgramBend::spoils, always),
    as_if("MBAR-R11", "a stage were loaded again before its products were complete", &ProgramBend::spoils,
          uses_a_stage_again),
    as_if("SYNC-R02", "an accumulator were written anew before it was read", &ProgramBend::spoils, always),
    as_if("TCP-R08", "the CTAs of a pair were swapped", &TmemCopyBend::source_cta,
          [](uint32_t, int right) { return right ^ 1; }),
    as_if("TCP-R08", "both CTAs copied from the even one", &TmemCopyBend::source_cta,
          [](uint32_t, int) { return 0; }),
    as_if("TCP-R08", "both CTAs copied from the odd one", &TmemCopyBend::source_cta,
          [](uint32_t, int) { return 1; }),
    as_if("TILE-R56", "what is reduced took the place of what is there", &ReductionBend::result,
          [](const spec::Reduction&, uint64_t, uint64_t operand, uint64_t) { return operand; }),
    as_if("TILE-R56", "a reduction did nothing", &ReductionBend::result,
          [](const spec::Reduction&, uint64_t old, uint64_t, uint64_t) { return old; }),
    as_if("SYNC-R03", "a box were written anew before it was stored", &ProgramBend::spoils, uses_a_box_again),
};

}  // namespace

std::span<const Bend> gemm_bends() {
  return rows;
}

}  // namespace assay::model
