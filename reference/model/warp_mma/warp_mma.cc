// SPDX-License-Identifier: Apache-2.0
#include "reference/model/warp_mma/warp_mma.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reference/layout/canonical.h"
#include "reference/model/bend.h"
#include "reference/model/mma/adder_evidence.h"
#include "reference/model/mma/element_steps.h"
#include "reference/numerics/fast.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using numerics::Types;
using spec::rule;

const spec::Format& format_of(MmaElement element) {
  static constexpr std::array formats{&spec::format("f16"),  &spec::format("bf16"), &spec::format("tf32"),
                                      &spec::format("e4m3"), &spec::format("e5m2"), &spec::format("s8"),
                                      &spec::format("u8"),   &spec::format("s4"),   &spec::format("u4")};
  return *formats[static_cast<size_t>(element)];
}
const spec::Format& format_of(MmaAccumulator accumulator) {
  static constexpr std::array formats{&spec::format("f32"), &spec::format("f16"), &spec::format("s32")};
  return *formats[static_cast<size_t>(accumulator)];
}

/// Buffers that one thread reuses from case to case.
struct WarpMmaBuffers {
  std::vector<uint32_t> words, cells, a, b, met, c, d, open;
  std::vector<uint16_t> places;  ///< of a sparse A, what its elements meet
  std::span<uint32_t> take(std::vector<uint32_t>& from, size_t size) {
    if (from.size() < size) from.resize(size);
    return {from.data(), size};
  }
};

WarpMmaBuffers& buffers() {
  thread_local WarpMmaBuffers kept;
  return kept;
}

/// One operand of wgmma in shared memory.
struct InShared {
  spec::SmemMatrix matrix;
  layout::SmemOperand operand;
  layout::SmemReadings readings;
  uint32_t lines;  ///< rows of A or columns of B
  uint32_t k;
  uint32_t element_bytes;
};

/// The 16-byte cells of the operand, in the order in which scatter_cells takes them.
void list_cells(const InShared& o, std::span<uint32_t> first_words) {
  const uint32_t per_cell = 16 / o.element_bytes;
  const layout::LaidMatrix laid(o.matrix, o.operand, o.readings);
  size_t at = 0;
  const auto add = [&](uint32_t mn, uint32_t k) {
    first_words[at++] = laid.swizzled(laid.linear_cell(mn, k)) / 4;
  };
  if (o.operand.mn_major)
    for (uint32_t k = 0; k < o.k; ++k)
      for (uint32_t mn = 0; mn < o.lines; mn += per_cell) add(mn, k);
  else
    for (uint32_t mn = 0; mn < o.lines; ++mn)
      for (uint32_t k = 0; k < o.k; k += per_cell) add(mn, k);
}

/// codes: lines of k.
void scatter_cells(const InShared& o, std::span<const uint32_t> words, std::span<uint32_t> codes) {
  const uint32_t per_cell = 16 / o.element_bytes, per_word = 4 / o.element_bytes;
  if (!o.operand.mn_major) {  // cells follow each other as the codes do
    for (size_t i = 0; i < words.size(); ++i) split_word(words[i], o.element_bytes * 8, &codes[i * per_word]);
    return;
  }
  const uint32_t* word = words.data();
  for (uint32_t k = 0; k < o.k; ++k)
    for (uint32_t mn = 0; mn < o.lines; mn += per_cell)
      for (uint32_t j = 0; j < per_cell; j += per_word) {
        std::array<uint32_t, 8> in_word{};
        split_word(*word++, o.element_bytes * 8, in_word.data());
        for (uint32_t e = 0; e < per_word; ++e) codes[(mn + j + e) * o.k + k] = in_word[e];
      }
}

/// Reads the operand out of the window that the case fills.
void gather(const WgmmaCase& c, const InShared& o, const PatternWords& source, std::span<uint32_t> codes,
            Openness* openness) {
  WarpMmaBuffers& kept = buffers();
  const size_t count = size_t{o.lines} * o.k * o.element_bytes / 16;
  const std::span<uint32_t> cells = kept.take(kept.cells, count);
  const std::span<uint32_t> words = kept.take(kept.words, count * 4);
  list_cells(o, cells);
  if (openness != nullptr)
    openness->leaves_window |= std::any_of(
        cells.begin(), cells.end(), [&](uint32_t word) { return uint64_t{word} * 4 + 16 > c.window_bytes; });
  const uint32_t split = c.split / 4;
  // Neighbours nearly always lie in the same pattern.
  for (size_t first = 0; first < count;) {
    const bool in_a = cells[first] < split;
    size_t end = first + 1;
    while (end < count && (cells[end] < split) == in_a) ++end;
    source.quads(in_a ? c.a_fill : c.b_fill, cells.subspan(first, end - first), &words[4 * first]);
    first = end;
  }
  scatter_cells(o, words, codes);
}

void negate(const spec::Format& format, std::span<uint32_t> codes) {
  for (uint32_t& code : codes) code ^= static_cast<uint32_t>(format.sign_bit());
}

void note_smem_rules(const MatrixInShared& matrix, const InShared& o, uint64_t ignored,
                     spec::RuleSet& rules) {
  rules.set(rule("SMEM-R11"));
  const bool swizzled = matrix.swizzle != 0;
  rules.set(o.operand.mn_major ? (swizzled ? rule("SMEM-R15") : rule("SMEM-R14"))
                               : (swizzled ? rule("SMEM-R13") : rule("SMEM-R12")));
  if (swizzled) rules.set(rule("SMEM-R16"));
  if (swizzled && matrix.base_offset != 0) rules.set(rule("SMEM-R17"));
  const uint32_t width = o.matrix.swizzle->width;
  const bool leading_is_dead = o.operand.mn_major ? swizzled && o.lines * o.element_bytes <= width
                                                  : swizzled && o.k * o.element_bytes <= width;
  if (!o.operand.mn_major && swizzled && !leading_is_dead) rules.set(rule("SMEM-R19"));
  const bool stride_is_dead = o.operand.mn_major ? !swizzled && o.lines <= 8 : o.lines <= 8;
  if ((leading_is_dead && matrix.leading_offset != 0) || (stride_is_dead && matrix.stride_offset != 0))
    rules.set(rule("SMEM-R18"));
  if (ignored != 0) rules.set(rule("SMEM-R21"));
}

layout::SmemReadings smem_readings(const MatrixInShared& matrix, const spec::Readings& readings) {
  layout::SmemReadings chosen;
  if (readings.bend() != nullptr && readings.bend()->mma.smem != nullptr) {
    readings.bend()->mma.smem(chosen);
    return chosen;
  }
  if (matrix.swizzle == 0 || matrix.base_offset == 0) return chosen;
  using BaseOffset = layout::SmemReadings::BaseOffset;
  if (readings.is({"AMB-05", "exclusive_or"})) chosen.base_offset = BaseOffset::exclusive_or;
  if (readings.is({"AMB-05", "added"})) chosen.base_offset = BaseOffset::added;
  return chosen;
}

AccumulatorRegisters registers_of(const WgmmaCase& c) {
  return {static_cast<int>(c.n) / 8, 16, c.types.d == MmaAccumulator::f16};
}
AccumulatorRegisters registers_of(const MmaSyncCase& c) {
  return {static_cast<int>(c.tiles), static_cast<int>(c.m), c.types.d == MmaAccumulator::f16};
}

/// Sums run along the longer side of D, so where A is dense the buffers have C and D with that one in rows.
AccumulatorRegisters in_buffers(AccumulatorRegisters shape, bool is_dense) {
  shape.is_turned = is_dense && shape.columns() < shape.rows();
  return shape;
}

/// Rows of A that multiply the same elements of B.
struct Block {
  int first, rows;
  std::span<const uint32_t> b;
};

/// f(block) for all rows of A: one block, or each row with what its kept elements meet.
template <typename F>
void for_blocks(const AccumulatorRegisters& shape, int k, const SparseRows* sparse, F f) {
  WarpMmaBuffers& kept = buffers();
  const size_t size = static_cast<size_t>(shape.columns()) * k;
  if (sparse == nullptr) {
    f(Block{0, shape.rows(), {kept.b.data(), size}});
    return;
  }
  const std::span<uint32_t> met = kept.take(kept.met, size);
  for (int row = 0; row < shape.rows(); ++row) {
    sparse->meet(row, {kept.b.data(), 2 * size}, met);
    f(Block{row, 1, met});
  }
}

/// Words of A as its pattern numbers them: register r of a thread is its word {0, 2, 1, 3}[r].
void a_words(const WarpRegisters& registers, std::span<uint32_t> words) {
  for (size_t t = 0; t < words.size() / 4; ++t)
    for (size_t r = 0; r < 4; ++r) words[4 * t + (r >> 1 | (r & 1) << 1)] = registers.a[t % 32 * 4 + r];
}
/// And those of B, of C: `of_lane` words a lane, tile after tile.
void b_words(const WarpRegisters& registers, size_t of_lane, std::span<uint32_t> words) {
  for (size_t i = 0; i < words.size(); ++i) words[i] = registers.b[i / of_lane % 32 * 4 + i % of_lane];
}
void c_words(const WarpRegisters& registers, const AccumulatorRegisters& shape, std::span<uint32_t> words) {
  const auto of_tile = static_cast<size_t>(shape.registers());
  const size_t of_thread = of_tile * static_cast<size_t>(shape.tiles);
  for (size_t i = 0; i < words.size(); ++i) words[i] = registers.c[i / of_thread % 32 * 4 + i % of_tile];
}

/// What D holds before. registers: null where the case has none.
struct OldD {
  bool is_read;
  const OperandPattern& fill;
  const KnownOperands& known;
  const WarpRegisters* registers = nullptr;
  bool is_in_output = false;  ///< what an earlier product left
};

/// Multiplies what the buffers hold, and puts D into its registers. sparse: null for a dense A.
void multiply(std::string_view family, const Types& types, bool saturates, const AccumulatorRegisters& shape,
              const OldD& old, const SparseRows* sparse, const PatternWords& source,
              std::span<uint32_t> output, spec::RuleSet& rules, const MmaBend* bend, Openness* openness) {
  const bool reads_c = bend != nullptr && bend->reads_c != nullptr ? bend->reads_c(old.is_read) : old.is_read;
  WarpMmaBuffers& kept = buffers();
  const AccumulatorRegisters buffered = in_buffers(shape, sparse == nullptr && bend == nullptr);
  const size_t size = static_cast<size_t>(shape.rows()) * shape.columns();
  const std::span<uint32_t> c = kept.take(kept.c, size), d = kept.take(kept.d, size);
  if (reads_c && old.is_in_output) {
    matrix_of_registers(buffered, output, c);
  } else if (reads_c && old.known.present) {
    std::fill(c.begin(), c.end(), old.known.c);
  } else if (reads_c) {
    if (old.registers != nullptr && old.registers->present)
      c_words(*old.registers, shape, output);
    else
      source.range(old.fill, 0, output);
    matrix_of_registers(buffered, output, c);
  } else {
    std::fill(c.begin(), c.end(), 0);
    rules.set(rule("ADD-R17"));
  }
  const std::span<const uint32_t> a(kept.a.data(), static_cast<size_t>(shape.rows()) * types.k);
  const auto columns = static_cast<size_t>(shape.columns());
  const numerics::Instruction* row = numerics::find_instruction(family, types, saturates);
  const auto tile_of = [&](const Block& block) -> numerics::Tile {
    const auto first = static_cast<size_t>(block.first), rows = static_cast<size_t>(block.rows);
    const auto k = static_cast<size_t>(types.k);
    return {block.rows,
            shape.columns(),
            a.subspan(first * k, rows * k),
            block.b,
            std::span<const uint32_t>(c).subspan(first * columns, rows * columns),
            {},
            {},
            0};
  };
  const auto of = [&](std::span<uint32_t> matrix, const Block& block) {
    return matrix.subspan(static_cast<size_t>(block.first) * columns,
                          static_cast<size_t>(block.rows) * columns);
  };
  if (bend != nullptr) {
    const std::span<uint32_t> open = kept.take(kept.open, size);
    for_blocks(shape, types.k, sparse, [&](const Block& block) {
      bent_tile(*bend, row->arithmetic, types, tile_of(block), reads_c, of(d, block), of(open, block));
    });
    registers_of_matrix(shape, d, output);
    if (openness == nullptr || bend->open_bits == nullptr) return;
    openness->is_any = true;
    for (uint32_t& bits : open) bits = ~bits;
    registers_of_matrix(shape, open, openness->defined);
    return;
  }
  const size_t stored = (sparse != nullptr ? 2 : 1) * static_cast<size_t>(types.k);
  numerics::Tile tile = tile_of({0, shape.rows(), {kept.b.data(), columns * stored}});
  if (sparse != nullptr) {
    sparse->places(kept.places);
    tile.met = kept.places, tile.stored_k = static_cast<int>(stored);
  }
  if (buffered.is_turned)
    numerics::fast_tile(row->arithmetic, {types.b, types.a, types.d, types.k},
                        {tile.n, tile.m, tile.b, tile.a, tile.c, {}, {}}, d);
  else
    numerics::fast_tile(row->arithmetic, types, tile, d);
  note_adder_rules({types, row->arithmetic, tile.a, tile.b, tile.c, d}, rules);
  for (int i = 0; sparse != nullptr && i < shape.rows(); ++i) {
    if (!sparse->meets_halves(i)) continue;
    const std::span<uint32_t> met = kept.take(kept.met, columns * static_cast<size_t>(types.k));
    sparse->meet(i, tile.b, met);
    const Block block{i, 1, met};
    numerics::fast_tile(row->arithmetic, types, tile_of(block), of(d, block));
  }
  registers_of_matrix(buffered, d, output);
}

/// The sparsity of the case's A; nothing of a dense one.
std::optional<SparseRows> sparse_rows(const MmaTypes& types, uint32_t kept_k, const SparseA& sparse,
                                      const PatternWords& source, const MmaBend* bend,
                                      const WarpRegisters* registers = nullptr) {
  if (!sparse.present) return std::nullopt;
  std::array<uint32_t, 128> metadata{};
  if (registers != nullptr && registers->present)
    for (size_t t = 0; t < metadata.size(); ++t) metadata[t] = registers->metadata[t % 32];
  else
    source.metadata(sparse, metadata);
  const int kept = static_cast<int>(kept_k);
  return SparseRows(layout::sparsity_of(*numeric_types(types, kept).a, true),
                    static_cast<int>(element_bits(types.a)), kept, static_cast<int>(sparse.selector),
                    metadata, bend);
}
std::optional<SparseRows> sparse_rows(const WgmmaCase& c, const PatternWords& source, const MmaBend* bend) {
  return sparse_rows(c.types, static_cast<uint32_t>(wgmma_k(c.types)), c.sparse, source, bend);
}
std::optional<SparseRows> sparse_rows(const MmaSyncCase& c, const PatternWords& source, const MmaBend* bend) {
  return sparse_rows(c.types, kept_k(c), c.sparse, source, bend, &c.registers);
}

}  // namespace

std::array<uint32_t, 16> known_column(const KnownOperands& known) {
  std::array<uint32_t, 16> words{};
  std::copy(known.b_rest.begin(), known.b_rest.end(),
            std::copy(known.b_column.begin(), known.b_column.end(), words.begin()));
  return words;
}

void repeat_known(std::span<const uint32_t> words, uint32_t element_bits, uint32_t k,
                  std::span<uint32_t> codes) {
  for (size_t line = 0; line < codes.size(); line += k)
    for (uint32_t i = 0; i < k; i += 32 / element_bits)
      split_word(words[i * element_bits / 32], element_bits, &codes[line + i]);
}

Types numeric_types(const MmaTypes& types, int k) {
  return {&format_of(types.a), &format_of(types.b), &format_of(types.d), k};
}

spec::SmemMatrix smem_matrix(const MatrixInShared& matrix) {
  const auto swizzle = spec::find_smem_swizzle(uint64_t{matrix.swizzle});
  return {matrix.start, matrix.leading_offset, matrix.stride_offset, matrix.base_offset, false, swizzle};
}

spec::RuleSet predict(const WgmmaCase& c, const spec::Readings& readings, const PatternWords& source,
                      std::span<uint32_t> output, Openness* openness) {
  const MmaBend* const bend = readings.bend() == nullptr ? nullptr : &readings.bend()->mma;
  const auto is_transposed = [&](bool is_a, bool right) {
    return bend != nullptr && bend->transposed != nullptr ? bend->transposed(is_a, right) : right;
  };
  const auto bent = [&](spec::SmemMatrix matrix, bool is_mn_major) {
    if (bend != nullptr && bend->matrix != nullptr) bend->matrix(matrix, is_mn_major);
    return matrix;
  };
  const Types types = numeric_types(c.types, wgmma_k(c.types));
  const uint32_t k = static_cast<uint32_t>(types.k), bytes = element_bytes(c.types.a),
                 k_of_b = c.sparse.present ? 2 * k : k;
  const int bits = static_cast<int>(bytes) * 8;
  WarpMmaBuffers& kept = buffers();
  const std::span<uint32_t> a = kept.take(kept.a, size_t{64} * k),
                            b = kept.take(kept.b, size_t{c.n} * k_of_b);
  spec::RuleSet rules;
  if (c.a_in_registers) {
    const std::span<uint32_t> words = kept.take(kept.words, 512);
    source.range(c.a_fill, 0, words);
    a_of_registers(16, 32, 8 * bytes, words, a);
  } else {
    const bool transposed = is_transposed(true, c.transpose_a);
    const InShared in_shared{bent(smem_matrix(c.a), transposed),
                             {bits, layout::Packing::plain, transposed},
                             smem_readings(c.a, readings),
                             64,
                             k,
                             bytes};
    if (!c.known.present) gather(c, in_shared, source, a, openness);
    note_smem_rules(c.a, in_shared, c.a_ignored, rules);
  }
  const bool transposed = is_transposed(false, c.transpose_b);
  const InShared in_shared{bent(smem_matrix(c.b), transposed),
                           {bits, layout::Packing::plain, transposed},
                           smem_readings(c.b, readings),
                           c.n,
                           k_of_b,
                           bytes};
  if (c.known.present) {
    repeat_known(c.known.a_row, 8 * bytes, k, a);
    repeat_known(known_column(c.known), 8 * bytes, k_of_b, b);
  } else {
    gather(c, in_shared, source, b, openness);
  }
  note_smem_rules(c.b, in_shared, c.b_ignored, rules);
  bool negates_a = c.negate_a, negates_b = c.negate_b;
  if (bend != nullptr && bend->negates != nullptr && !types.d->is_integer())
    bend->negates(negates_a, negates_b);
  if (negates_a) negate(*types.a, a);
  if (negates_b) negate(*types.b, b);
  if (c.negate_a || c.negate_b) rules.set(rule("ADD-R18"));
  const std::optional<SparseRows> sparse = sparse_rows(c, source, bend);
  if (sparse) sparse->mark_rules(rules);
  multiply("wgmma", types, c.types.saturates, registers_of(c), {c.scale_d, c.c_fill, c.known},
           sparse ? &*sparse : nullptr, source, output, rules, bend, openness);
  for (uint32_t i = 0; i < c.pending && !c.in_groups; ++i)
    multiply("wgmma", types, c.types.saturates, registers_of(c), {true, c.c_fill, c.known, nullptr, true},
             nullptr, source, output, rules, bend, openness);
  if (c.sparse.strange_rate != 0 && openness != nullptr)
    leave_rows_open(*sparse, registers_of(c), output.size(), *openness);
  return rules;
}

spec::RuleSet predict(const MmaSyncCase& c, const spec::Readings& readings, const PatternWords& source,
                      std::span<uint32_t> output, Openness* openness) {
  const Types types = numeric_types(c.types, static_cast<int>(kept_k(c)));
  const uint32_t bits = element_bits(c.types.a), row_bytes = kept_k(c) * bits / 8,
                 column_bytes = c.k * bits / 8;
  const MmaBend* const bend = readings.bend() == nullptr ? nullptr : &readings.bend()->mma;
  const int warp_rows = static_cast<int>(c.m), tiles = static_cast<int>(c.tiles);
  const size_t words_of_b = size_t{32} * b_words(c) * c.tiles;
  WarpMmaBuffers& kept = buffers();
  const std::span<uint32_t> a = kept.take(kept.a, size_t{4} * c.m * kept_k(c));
  const std::span<uint32_t> b = kept.take(kept.b, size_t{8} * c.tiles * c.k);
  std::span<uint32_t> words = kept.take(kept.words, std::max<size_t>(512, words_of_b));
  const bool is_whole = c.registers.present;
  if (is_whole)
    a_words(c.registers, words.first(512));
  else
    source.range(c.a_fill, 0, words.first(512));
  a_of_registers(warp_rows, row_bytes, bits, words, a);
  if (is_whole)
    b_words(c.registers, assay::b_words(c), words.first(words_of_b));
  else
    source.range(c.b_fill, 0, words.first(words_of_b));
  b_of_registers(tiles, column_bytes, bits, words, b);
  if (c.known.present) {
    repeat_known(c.known.a_row, bits, kept_k(c), a);
    repeat_known(known_column(c.known), bits, c.k, b);
  }
  spec::RuleSet rules;
  const std::optional<SparseRows> sparse = sparse_rows(c, source, bend);
  if (sparse) sparse->mark_rules(rules);
  multiply("mma_sm90", types, c.types.saturates, registers_of(c), {true, c.c_fill, c.known, &c.registers},
           sparse ? &*sparse : nullptr, source, output, rules, bend, openness);
  if (c.sparse.strange_rate != 0 && openness != nullptr)
    leave_rows_open(*sparse, registers_of(c), output.size(), *openness);
  return rules;
}

namespace {

/// Position in the matrix of the element in a word of the output.
size_t element_in(const AccumulatorRegisters& shape, size_t words, uint32_t word, bool upper) {
  std::vector<uint32_t> marked(words), codes(static_cast<size_t>(shape.rows()) * shape.columns());
  marked[word] = shape.halves && upper ? 1 << 16 : 1;
  matrix_of_registers(shape, marked, codes);
  return static_cast<size_t>(std::find(codes.begin(), codes.end(), 1u) - codes.begin());
}

/// Of the prediction that this thread makes here: its buffers hold the operands afterwards.
template <typename WarpMmaCase>
ElementSteps steps_of_word(const WarpMmaCase& c, std::string_view family, int k, bool reads_c,
                           const spec::Readings& readings, const PatternWords& source, uint32_t word,
                           bool upper) {
  std::vector<uint32_t> output(output_bytes(c) / 4);
  predict(c, readings, source, output);
  const AccumulatorRegisters shape = registers_of(c);
  const size_t at = element_in(shape, output.size(), word, upper);
  const auto columns = static_cast<size_t>(shape.columns());
  ElementSteps element;
  element.row = static_cast<uint32_t>(at / columns), element.column = static_cast<uint32_t>(at % columns);
  element.types = numeric_types(c.types, k);
  element.arithmetic = numerics::find_instruction(family, element.types, c.types.saturates)->arithmetic;
  const auto line = [k](const std::vector<uint32_t>& codes, uint32_t index) {
    const uint32_t* const first = codes.data() + static_cast<ptrdiff_t>(index) * k;
    return std::vector<uint64_t>(first, first + k);
  };
  const WarpMmaBuffers& kept = buffers();
  std::vector<uint64_t> b;
  if (const std::optional<SparseRows> sparse = sparse_rows(c, source, nullptr)) {
    const size_t stored = 2 * static_cast<size_t>(k);
    std::vector<uint32_t> met(static_cast<size_t>(k));
    sparse->meet(static_cast<int>(element.row), std::span(kept.b).subspan(element.column * stored, stored),
                 met);
    b.assign(met.begin(), met.end());
  } else {
    b = line(kept.b, element.column);
  }
  const bool is_turned = in_buffers(shape, !c.sparse.present && readings.bend() == nullptr).is_turned;
  const size_t of_c = is_turned ? element.column * static_cast<size_t>(shape.rows()) + element.row : at;
  element.add({line(kept.a, element.row), std::move(b), kept.c[of_c], reads_c});
  return element;
}

}  // namespace

ElementSteps steps_of(const WgmmaCase& c, const spec::Readings& readings, const PatternWords& source,
                      uint32_t word, bool upper) {
  return steps_of_word(c, "wgmma", wgmma_k(c.types), c.scale_d, readings, source, word, upper);
}

ElementSteps steps_of(const MmaSyncCase& c, const spec::Readings& readings, const PatternWords& source,
                      uint32_t word, bool upper) {
  return steps_of_word(c, "mma_sm90", static_cast<int>(kept_k(c)), true, readings, source, word, upper);
}

}  // namespace assay::model
