// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/mma_sync_kind.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "reference/layout/fragments.h"
#include "reference/model/bend.h"
#include "reference/model/mma/adder_evidence.h"
#include "reference/model/mma/mma.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

constexpr int matrix_rows = 64;

/// One multiplication by the four warps, by rows and columns.
struct Matrices {
  std::vector<uint32_t> a, b, c;
  std::vector<uint8_t> a_scales, b_scales;  ///< of one tile each: 64 rows and 8 columns a tile
};

numerics::Types types_of(const MmaSyncKindCase& c) {
  numerics::Types types{spec::find_format(name_of(c.a)), spec::find_format(name_of(c.b)),
                        spec::find_format(c.d_is_f16 ? "f16" : "f32"), static_cast<int>(kept_k(c))};
  if (!is_scaled(c)) return types;
  types.scale = spec::find_format(c.scale_vector == 4 ? "ue4m3" : "ue8m0");
  types.scale_block = types.k / static_cast<int>(scale_count(c));
  return types;
}

/// The row of the adder: blocks of 16 and of 32 have one, as groups of 16 are what is added.
numerics::Arithmetic arithmetic_of(const MmaSyncKindCase& c, const spec::Readings& readings) {
  numerics::Types types = types_of(c);
  if (c.kind == SyncKind::mxf4nvf4) types.scale_block = 16;
  numerics::Arithmetic made = numerics::find_instruction("mma_sm120", types, false)->arithmetic;
  choose_exponents({types.a, types.b, types.d}, readings, made);
  choose_zero_sign(readings, made);
  if (c.sparse.present && readings.is({"NUM-AMB-21", "rounds_after_half"})) made.fused_terms = types.k / 2;
  if (!is_scaled(c)) return made;
  made.keeps_minus_zero = readings.is({"NUM-AMB-20", "stays"});
  if (made.scheme != numerics::Scheme::grouped) return made;
  choose_grouped_sum(readings, c.scale_vector == 4, made);
  if (made.zeros_have_exponents) made.zero_group_keeps_scale = true;
  return made;
}

/// An element out of its byte: where fewer than 8 bits are, low ones of 6, the middle ones of 4.
uint32_t element_in(NarrowElement element, uint32_t byte) {
  if (element == NarrowElement::e2m1) return byte >> 2 & 0xf;
  return element == NarrowElement::e3m2 || element == NarrowElement::e2m3 ? byte & 0x3f : byte;
}

void read_matrices(const MmaSyncKindCase& c, const PatternWords& source, Matrices& m) {
  const uint32_t k = k_of(c), kept = kept_k(c), bits = is_packed(c) ? 4 : 8;
  const size_t words_of_b = size_t{32} * b_words(c) * c.tiles;
  m.a.resize(matrix_rows * kept), m.b.resize(size_t{8} * c.tiles * k);
  std::vector<uint32_t> words(std::max<size_t>(512, words_of_b));
  source.range(c.a_fill, 0, std::span(words).first(512));
  a_of_registers(16, 32, bits, words, m.a);
  source.range(c.b_fill, 0, std::span(words).first(words_of_b));
  b_of_registers(static_cast<int>(c.tiles), 8 * b_words(c) * 2, bits, words, m.b);
  if (c.known.present) {
    repeat_known(c.known.a_row, bits, kept, m.a);
    repeat_known(known_column(c.known), bits, k, m.b);
  }
  if (bits == 8) {
    for (uint32_t& code : m.a) code = element_in(c.a, code);
    for (uint32_t& code : m.b) code = element_in(c.b, code);
  }
  words.resize(output_bytes(c) / 4);
  source.range(c.c_fill, 0, words);
  m.c.resize(size_t{matrix_rows} * 8 * c.tiles);
  matrix_of_registers({static_cast<int>(c.tiles), 16, c.d_is_f16}, words, m.c);
  if (c.known.present) std::fill(m.c.begin(), m.c.end(), c.known.c);
}

/// A scale as it counts: a code, and whether bit 7 of it negates. No reading has both.
void read_scales(const MmaSyncKindCase& c, const spec::Readings& readings, const PatternWords& source,
                 const numerics::Types& types, uint32_t tile, Matrices& m, std::vector<uint8_t>& negates_a,
                 std::vector<uint8_t>& negates_b) {
  const MmaBend* const bend = readings.bend() == nullptr ? nullptr : &readings.bend()->mma;
  std::vector<uint32_t> words(128);
  const auto fill = [&](const OperandPattern& pattern, uint32_t threads, uint32_t lines,
                        RegisterScaleWanted wanted, std::vector<uint8_t>& scales,
                        std::vector<uint8_t>& negates) {
    source.range(pattern, tile * threads, std::span(words).first(threads));
    scales.clear(), negates.clear();
    for (wanted.line = 0; wanted.line < lines; ++wanted.line)
      for (wanted.number = 0; wanted.number < wanted.count; ++wanted.number) {
        RegisterScale at = register_scale(wanted);
        if (bend != nullptr && bend->register_scale != nullptr) at = bend->register_scale(wanted, at);
        const ScaleCode read =
            read_scale(*types.scale, static_cast<uint8_t>(words[at.thread] >> 8 * at.byte), readings);
        scales.push_back(read.code), negates.push_back(read.negates);
      }
  };
  const uint32_t count = scale_count(c);
  fill(c.a_scale_fill, 128, matrix_rows, {true, c.sparse.present, 0, c.thread_a, c.byte_a, 0, count},
       m.a_scales, negates_a);
  fill(c.b_scale_fill, 32, 8, {false, c.sparse.present, 0, c.thread_b, c.byte_b, 0, count}, m.b_scales,
       negates_b);
}

/// Elements of blocks whose scale negates.
void negate_blocks(std::span<uint32_t> codes, size_t block, const spec::Format& format,
                   const std::vector<uint8_t>& negates) {
  for (size_t i = 0; i < codes.size(); ++i)
    if (negates[i / block] != 0) codes[i] ^= static_cast<uint32_t>(format.sign_bit());
}

/// The sparsity of the case's A; nothing of a dense one. Elements in bytes of their own are kept two of four,
/// whatever bits they have; packed ones in pairs.
std::optional<SparseRows> sparse_rows(const MmaSyncKindCase& c, const PatternWords& source,
                                      const MmaBend* bend) {
  if (!c.sparse.present) return std::nullopt;
  std::array<uint32_t, 128> metadata{};
  source.metadata(c.sparse, metadata);
  const int bits = is_packed(c) ? 4 : 8;
  const bool has_pairs = is_packed(c) || (bend != nullptr && bend->keeps_pairs_of_bytes);
  return SparseRows(layout::sparsity_of(*spec::find_format(name_of(c.a)), has_pairs), bits,
                    static_cast<int>(kept_k(c)), static_cast<int>(c.sparse.selector), metadata, bend);
}

/// 64 rows by 8 columns. Of B all that a column has: more than a sparse row meets.
struct KindTile {
  uint32_t number;
  std::span<const uint32_t> a, b, c;
  std::span<const uint8_t> a_scales, b_scales;
};

/// Calls use(tile) for each.
template <typename Use>
void for_tiles(const MmaSyncKindCase& c, const spec::Readings& readings, const PatternWords& source,
               Use use) {
  const numerics::Types types = types_of(c);
  const size_t k = k_of(c), scales = std::max(1u, scale_count(c));
  Matrices m;
  read_matrices(c, source, m);
  std::vector<uint32_t> tile_c(size_t{matrix_rows} * 8);
  std::vector<uint8_t> negates_a, negates_b;
  for (uint32_t tile = 0; tile < c.tiles; ++tile) {
    for (size_t row = 0; row < matrix_rows; ++row)
      std::copy_n(m.c.begin() + static_cast<ptrdiff_t>((row * c.tiles + tile) * 8), 8,
                  tile_c.begin() + static_cast<ptrdiff_t>(row * 8));
    std::vector<uint32_t> a = m.a;
    std::vector<uint32_t> b(m.b.begin() + static_cast<ptrdiff_t>(tile * 8 * k),
                            m.b.begin() + static_cast<ptrdiff_t>((tile + 1) * 8 * k));
    if (is_scaled(c)) {
      read_scales(c, readings, source, types, tile, m, negates_a, negates_b);
      negate_blocks(a, kept_k(c) / scales, *types.a, negates_a);
      negate_blocks(b, k / scales, *types.b, negates_b);
    }
    use(KindTile{tile, a, b, tile_c, m.a_scales, m.b_scales});
  }
}

/// D by what its rows meet of the columns: all that these have where `met` is empty. `open`: with a bend, the
/// bits that may be anything.
void multiply_tile(const numerics::Types& types, const numerics::Arithmetic& arithmetic, const KindTile& tile,
                   std::span<const uint16_t> met, const MmaBend* bend, std::span<uint32_t> d,
                   std::span<uint32_t> open, spec::RuleSet& rules) {
  const int stored = static_cast<int>(tile.b.size()) / 8;
  const numerics::Tile operands{matrix_rows,   8, tile.a, tile.b, tile.c, tile.a_scales,
                                tile.b_scales, 0, met,    stored};
  if (bend != nullptr) return bent_tile(*bend, arithmetic, types, operands, true, d, open);
  numerics::fast_tile(arithmetic, types, operands, d);
  note_adder_rules({types, arithmetic, tile.a, tile.b, tile.c, d, false, 0, tile.a_scales, tile.b_scales},
                   rules);
}

std::string wrong_with_metadata(const MmaSyncKindCase& c) {
  if (!c.sparse.present) return c.sparse == SparseA{} ? "" : "an A without sparsity has no metadata.";
  if (!c.sparse.ordered || c.sparse.selector != 0)
    return "kinds have ordered metadata, and no selector but 0.";
  if (c.sparse.is_known || c.sparse.of_quad != std::array<uint32_t, 4>{})
    return "metadata of kinds are drawn from codes.";
  const layout::SparsityRow& sparsity = layout::sparsity_of(*spec::find_format(name_of(c.a)), is_packed(c));
  const auto all_have = [&](uint32_t list, bool meaning) {
    const std::vector<uint32_t> codes = layout::codes_of(list);
    return std::all_of(codes.begin(), codes.end(), [&](uint32_t code) {
      return layout::has_meaning_in_registers(sparsity, code) == meaning;
    });
  };
  if (!all_have(c.sparse.codes, true)) return "a code of the metadata has no meaning.";
  const bool strange_fit =
      c.sparse.strange_rate == 0 ? c.sparse.strange_codes == 0 : all_have(c.sparse.strange_codes, false);
  return strange_fit ? "" : "strange codes have no meaning.";
}

}  // namespace

std::string_view name_of(SyncKind kind) {
  return sync_kind_names[static_cast<size_t>(kind)];
}
std::string_view name_of(NarrowElement element) {
  return narrow_element_names[static_cast<size_t>(element)];
}

std::string wrong_with(const MmaSyncKindCase& c) {
  const bool has_default = c.kind != SyncKind::mxf4nvf4;
  const bool has_vector = c.kind == SyncKind::f8f6f4     ? c.scale_vector == 0
                          : c.kind == SyncKind::mxf8f6f4 ? c.scale_vector <= 1
                          : c.kind == SyncKind::mxf4     ? c.scale_vector == 0 || c.scale_vector == 2
                                                         : c.scale_vector == 2 || c.scale_vector == 4;
  if (!has_vector || (c.scale_vector == 0 && !has_default))
    return "the kind does not have this scale vector.";
  if (is_packed(c) && (c.a != NarrowElement::e2m1 || c.b != NarrowElement::e2m1))
    return "the kind multiplies e2m1 alone.";
  if (c.d_is_f16 && is_scaled(c)) return "block-scaled kinds have D of f32 alone.";
  if (std::string wrong = fields::wrong_field(c); !wrong.empty()) return wrong;
  const uint32_t unit = std::max(1u, scale_count(c));
  if (c.byte_a % unit != 0 || c.byte_b % unit != 0)
    return "a byte-id is 0 to 3 with one scale, 0 or 2 with two, 0 with four.";
  return wrong_with_metadata(c);
}

spec::RuleSet predict(const MmaSyncKindCase& c, const spec::Readings& readings, const PatternWords& source,
                      std::span<uint32_t> output, Openness* openness) {
  const numerics::Types types = types_of(c);
  const MmaBend* const bend = readings.bend() == nullptr ? nullptr : &readings.bend()->mma;
  const numerics::Arithmetic arithmetic = arithmetic_of(c, readings);
  spec::RuleSet rules;
  rules.set(is_packed(c) ? rule("KIND-R02") : rule("KIND-R01"));
  if (is_scaled(c))
    for (const spec::RuleIndex i : {rule("KIND-R03"), rule("KIND-R04"), rule("KIND-R05")}) rules.set(i);
  const std::optional<SparseRows> sparse = sparse_rows(c, source, bend);
  if (sparse) sparse->mark_rules(rules), rules.set(rule("KIND-R08")), rules.set(rule("KIND-R09"));
  if (is_scaled(c)) rules.set(sparse ? rule("KIND-R07") : rule("KIND-R06"));
  std::vector<uint32_t> d(size_t{matrix_rows} * 8), open(d.size());
  std::vector<uint32_t> whole(size_t{matrix_rows} * 8 * c.tiles), all_open(whole.size());
  std::vector<uint16_t> met;
  if (sparse) sparse->places(met);
  for_tiles(c, readings, source, [&](const KindTile& tile) {
    multiply_tile(types, arithmetic, tile, met, bend, d, open, rules);
    const auto place = [&](const std::vector<uint32_t>& part, std::vector<uint32_t>& into) {
      for (size_t row = 0; row < matrix_rows; ++row)
        std::copy_n(part.begin() + static_cast<ptrdiff_t>(row * 8), 8,
                    into.begin() + static_cast<ptrdiff_t>((row * c.tiles + tile.number) * 8));
    };
    place(d, whole);
    if (bend != nullptr) place(open, all_open);
  });
  const AccumulatorRegisters shape{static_cast<int>(c.tiles), 16, c.d_is_f16};
  registers_of_matrix(shape, whole, output);
  if (bend != nullptr && bend->open_bits != nullptr && openness != nullptr) {
    openness->is_any = true;
    for (uint32_t& bits : all_open) bits = ~bits;
    registers_of_matrix(shape, all_open, openness->defined);
  }
  if (sparse && sparse->has_open_rows() && openness != nullptr)
    leave_rows_open(*sparse, shape, output.size(), *openness);
  return rules;
}

ElementSteps steps_of(const MmaSyncKindCase& c, const spec::Readings& readings, const PatternWords& source,
                      uint32_t word, bool upper) {
  const uint32_t registers = d_registers(c), thread = word / registers / c.tiles;
  const uint32_t wanted_tile = word / registers % c.tiles;
  const int lane = static_cast<int>(thread % 32), r = static_cast<int>(word % registers);
  const layout::MatrixPlace at = c.d_is_f16 ? layout::half_accumulator_place(lane, r, upper ? 1 : 0)
                                            : layout::accumulator_place(lane, r);
  ElementSteps element;
  element.row = thread / 32 * 16 + static_cast<uint32_t>(at.row);
  element.column = wanted_tile * 8 + static_cast<uint32_t>(at.column);
  element.types = types_of(c);
  element.arithmetic = arithmetic_of(c, readings);
  const size_t kept = kept_k(c), count = scale_count(c), column = element.column % 8;
  const std::optional<SparseRows> sparse = sparse_rows(c, source, nullptr);
  std::vector<uint32_t> met(size_t{8} * kept);
  for_tiles(c, readings, source, [&](const KindTile& tile) {
    if (tile.number != wanted_tile) return;
    InstructionSteps steps;
    const auto line = [](auto codes, size_t index, size_t length) {
      const auto part = codes.subspan(index * length, length);
      return std::vector<uint64_t>(part.begin(), part.end());
    };
    if (sparse) sparse->meet(static_cast<int>(element.row), tile.b, met);
    steps.a = line(tile.a, element.row, kept);
    steps.b = line(sparse ? std::span<const uint32_t>(met) : tile.b, column, kept);
    steps.c = tile.c[element.row * 8 + column], steps.reads_c = true;
    steps.scale_a = line(tile.a_scales, count == 0 ? 0 : element.row, count);
    steps.scale_b = line(tile.b_scales, count == 0 ? 0 : column, count);
    element.add(std::move(steps));
  });
  return element;
}

}  // namespace assay::model
