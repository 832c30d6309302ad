// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/element_steps.h"

#include <algorithm>
#include <vector>

#include "reference/model/mma/mma.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "reference/spec/questions.h"

namespace assay::model {
namespace {

struct Machine {
  const Tcgen05MmaCase& c;
  const spec::Readings& readings;
  const MmaWindows& windows;
  std::span<const uint32_t> cells;
  MmaFormats formats = formats_of(c);
  const layout::DLayoutRow& form = *d_layout_of(c);

  bool is(spec::NamedReading reading) const { return readings.is(reading); }

  size_t cell_index(int cta, int lane, int column) const {
    return (static_cast<size_t>(cta) * 128 + static_cast<size_t>(lane)) * c.alloc_columns +
           static_cast<size_t>(column);
  }

  uint32_t bits_of_window(int cta, uint32_t byte, int bit, int count) const {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i) {
      const uint32_t at = byte * 8 + static_cast<uint32_t>(bit + i);
      const auto whole = static_cast<uint32_t>(windows[static_cast<size_t>(cta)][at / 8]);
      value |= (whole >> (at % 8) & 1) << i;
    }
    return value;
  }

  uint32_t shared_element(MatrixInShared matrix, bool is_a, int cta, int mn, int k) const {
    const spec::Format& format = is_a ? *formats.a : *formats.b;
    layout::SmemReadings how;
    if (is({"AMB-05", "exclusive_or"})) how.base_offset = layout::SmemReadings::BaseOffset::exclusive_or;
    if (is({"AMB-05", "added"})) how.base_offset = layout::SmemReadings::BaseOffset::added;
    if (is({"AMB-32", "steps_8_k"})) how.lines_of_atom_32B = 8;
    how.leading_offset_in_wide_32B = !is({"AMB-46", "follows_first_half"});
    const layout::SmemOperand operand = shared_operand(c, is_a);
    if (operand.packing != layout::Packing::plain && !is_block_scaled(c) && is({"AMB-22", "packed"})) {
      // One bit after the other of rows of bytes: an element may lie in two bytes, and in two pieces of 16.
      uint32_t code = 0;
      for (uint32_t i = 0; i < static_cast<uint32_t>(format.storage_bits); ++i) {
        const uint32_t at = static_cast<uint32_t>(k * format.storage_bits) + i;
        const layout::SmemPlace byte = layout::smem_place(
            matrix_of(matrix), {8, layout::Packing::plain, false}, static_cast<uint32_t>(mn), at / 8, how);
        code |= bits_of_window(cta, byte.byte, static_cast<int>(at % 8), 1) << i;
      }
      return code;
    }
    const layout::SmemPlace place = layout::smem_place(matrix_of(matrix), operand, static_cast<uint32_t>(mn),
                                                       static_cast<uint32_t>(k), how);
    return bits_of_window(cta, place.byte, place.bit, format.storage_bits);
  }

  uint64_t a_element(uint32_t step, int m, int n, int k) const {
    const int rows = static_cast<int>(c.m / c.cta_group), cta = m / rows;
    uint32_t code = 0;
    if (c.a_in_tmem) {
      const layout::TmemPacking packing = packing_of_a(c);
      const auto nibble =
          is({"AMB-21", "bits_3_to_0"}) ? layout::NibblePlace::low : layout::NibblePlace::middle;
      // The copy of A in the lanes in which this element of D lies.
      const int d_lane = layout::d_place(form, m, n, static_cast<int>(c.n), static_cast<int>(c.lane)).lane;
      for (const layout::TmemPlace& place :
           layout::a_places(form, packing, m, k, static_cast<int>(c.lane), nibble))
        if (place.lane == d_lane)
          code = cells[cell_index(cta, place.lane,
                                  static_cast<int>(c.a_column + step * c.a_step) + place.column)] >>
                 place.bit;
      code &= static_cast<uint32_t>(formats.a->code_mask());
    } else {
      MatrixInShared matrix = c.a;
      matrix.start += 16 * step * c.a_step;
      code = shared_element(matrix, true, cta, m % rows, k);
    }
    if (scale(true, step, m, n, k).negates) code ^= static_cast<uint32_t>(formats.a->sign_bit());
    return c.negate_a ? code ^ formats.a->sign_bit() : code;
  }

  /// The scale of element k of row m of A or of column n of B.
  ScaleCode scale(bool is_a, uint32_t step, int m, int n, int k) const {
    if (!is_block_scaled(c)) return {0, false};
    const int rows = static_cast<int>(c.m / c.cta_group), cta = m / rows;
    const uint8_t code = scale_at(c, form, scale_readings(c, readings), nullptr, is_a, is_a ? m % rows : n,
                                  step, k / scale_block(c),
                                  [&](int lane, int column) { return cells[cell_index(cta, lane, column)]; });
    return read_scale(*scale_format(c), code, readings);
  }
  /// Those of a row or column, one a block.
  std::vector<uint64_t> scales(bool is_a, uint32_t step, int m, int n) const {
    std::vector<uint64_t> codes;
    for (int s = 0; s < scale_count(c); ++s)
      codes.push_back(scale(is_a, step, m, n, s * scale_block(c)).code);
    return codes;
  }

  /// The code of 4 bits that says what kept element k of row m meets, bit by bit.
  uint32_t metadata_code(uint32_t step, int m, int n, int k) const {
    const int rows = static_cast<int>(c.m / c.cta_group), cta = m / rows, lane = static_cast<int>(c.lane);
    const int columns = layout::d_columns(form, static_cast<int>(c.n));
    const int fold = is({"AMB-45", "first_group"}) ? 0 : n / columns;
    const MetadataStart start = metadata_start(c, step);
    const int selector =
        static_cast<int>(is({"AMB-20", "low_bit_alone"}) ? start.selector % 2 : start.selector);
    uint32_t code = 0;
    for (int bit = 0; bit < 4; ++bit) {
      const layout::TmemPlace place =
          layout::metadata_place(form, has_interleaved_metadata(c), selector, m % rows,
                                 4 * (k / sparsity_row(c).kept) + bit, fold, lane);
      const uint32_t word = cells[cell_index(cta, place.lane, static_cast<int>(start.column) + place.column)];
      code |= (word >> place.bit & 1) << bit;
    }
    return code == 6 && is({"AMB-19", "ascending"}) ? 9 : code;
  }
  /// The element of a column of B that kept element k of row m meets.
  int met_by(uint32_t step, int m, int n, int k) const {
    if (!c.sparse) return k;
    const layout::SparsityRow& row = sparsity_row(c);
    const uint32_t code = metadata_code(step, m, n, k);
    return k / row.kept * row.chunk + layout::met_element(row, code, k % row.kept);
  }
  /// Whether all codes of row m have a meaning.
  bool has_meaning(uint32_t step, int m, int n) const {
    for (int k = 0; c.sparse && k < k_of(c); ++k) {
      const uint32_t code = metadata_code(step, m, n, k);
      if (!layout::is_listed_code(sparsity_row(c), code) || (code == 6 && is({"AMB-19", "anything"})))
        return false;
    }
    return true;
  }

  /// As the half of D with row m multiplies it by kept element k.
  uint64_t b_element(uint32_t step, int m, int n, int k) const {
    MatrixInShared matrix = c.b;
    matrix.start += 16 * step * c.b_step;
    const int columns = static_cast<int>(c.n / c.cta_group), cta = n / columns;
    const int shift = c.has_mask ? static_cast<int>(c.mask.column_shift) : 0;
    uint32_t code = shared_element(matrix, false, cta, n % columns + shift, met_by(step, m, n, k));
    if (scale(false, step, m, n, k).negates) code ^= static_cast<uint32_t>(formats.b->sign_bit());
    return c.negate_b ? code ^ formats.b->sign_bit() : code;
  }

  std::vector<bool> zeroed() const {
    if (!c.has_mask) return std::vector<bool>(c.n, false);
    spec::MaskReadings how;
    how.table_words = is({"AMB-01", "use_spans_zeroed"});
    how.bit_39_disables = is({"AMB-02", "set_disables"});
    how.start_count_saturates = is({"AMB-03", "span_less_one"});
    return spec::zeroed_columns(mask_of(c.mask), static_cast<int>(c.m), static_cast<int>(c.n), how);
  }

  bool is_disabled(int cta, int lane) const {
    const bool odd_first = c.odd_cta_issues && is({"AMB-28", "issuing_cta_first"});
    const int bit = (odd_first ? 1 - cta : cta) * 128 + lane;
    return c.has_disabled_lanes && (c.disabled_lanes[static_cast<size_t>(bit / 32)] >> (bit % 32) & 1) != 0;
  }

  /// The accumulations, one after the other.
  std::vector<uint32_t> steps() const {
    std::vector<uint32_t> in_order;
    for (uint32_t step = 0; step < c.steps; ++step)
      in_order.insert(in_order.end(), c.collector_filled ? 2 : 1, step);
    return in_order;
  }

  /// Below which no exponent aligns, where another reading than the usual one says so; else 0. Only products
  /// of halves come near the floors of a half.
  int floor_exponent() const {
    if (formats.d->is_integer()) return 0;
    if (formats.d->bits() == 32)
      return is({"NUM-AMB-01", "minus_126"}) ? -126 : is({"NUM-AMB-01", "minus_132"}) ? -132 : 0;
    if (formats.a->bits() != 16) return 0;
    if (is({"NUM-AMB-02", "minus_133"})) return -133;
    return is({"NUM-AMB-02", "minus_22"}) ? -22 : is({"NUM-AMB-02", "minus_20"}) ? -20 : 0;
  }

  numerics::Arithmetic arithmetic() const {
    numerics::Types types = types_of(c);
    if (c.kind == spec::MmaKind::f16 && types.a != types.b) types.a = types.b;
    numerics::Arithmetic chosen = numerics::find_instruction("tcgen05", types, c.saturate)->arithmetic;
    chosen.underflow_keeps_sign = is({"NUM-AMB-03", "minus_when_rounded"});
    chosen.all_minus_zero_gives_minus_zero = is({"NUM-AMB-03", "minus_when_all_are"});
    if (is({"NUM-AMB-17", "rounded"})) chosen.scaled_input = numerics::ScaledInput::rounded_to_nearest_even;
    if (const int floor = floor_exponent(); floor != 0) chosen.floor_exponent = floor;
    chosen.zeros_have_exponents =
        formats.d->bits() == 32 && !formats.d->is_integer() && is({"NUM-AMB-01", "minus_126"});
    if (is({"NUM-AMB-08", "leading_bit"})) chosen.normalised_bits = 6;
    choose_scaled_arithmetic(c, readings, chosen);
    if (is({"NUM-AMB-17", "truncated"})) chosen.scaled_input = numerics::ScaledInput::rounded_toward_zero;
    return chosen;
  }
};

void slow_accumulation(const Tcgen05MmaCase& c, const spec::Readings& readings, const MmaWindows& windows,
                       std::span<uint32_t> cells, std::span<uint32_t> defined) {
  const Machine machine{c, readings, windows, cells};
  const int k_count = k_of(c);
  const std::vector<bool> zeroed = machine.zeroed();
  const numerics::Arithmetic arithmetic = machine.arithmetic();
  const numerics::Types types = types_of(c);
  const bool is_half = machine.formats.d->storage_bits == 16;
  bool is_first = true;
  for (const uint32_t step : machine.steps()) {
    for (int m = 0; m < static_cast<int>(c.m); ++m)
      for (int n = 0; n < static_cast<int>(c.n); ++n) {
        std::vector<uint64_t> a, b;
        for (int k = 0; k < k_count; ++k) {
          const bool skipped = zeroed[static_cast<size_t>(n)];
          a.push_back(machine.a_element(step, m, n, k));
          b.push_back(skipped ? 0 : machine.b_element(step, m, n, k));
        }
        const layout::TmemPlace place =
            layout::d_place(machine.form, m, n, static_cast<int>(c.n), static_cast<int>(c.lane));
        const size_t at =
            machine.cell_index(place.cta, place.lane, static_cast<int>(c.d_column) + place.column);
        numerics::Dot dot;
        const std::vector<uint64_t> a_scales = machine.scales(true, step, m, n),
                                    b_scales = machine.scales(false, step, m, n);
        dot.a = a, dot.b = b, dot.scale_a = a_scales, dot.scale_b = b_scales;
        const bool has_input = !is_first || c.enable_input_d;
        if (has_input) dot.c = is_half ? cells[at] & 0xffff : cells[at];
        if (has_input && c.has_scale_input_d) dot.scale_input_d = static_cast<int>(c.scale_input_d);
        auto d = static_cast<uint32_t>(numerics::exact_dot(arithmetic, types, dot));
        if (zeroed[static_cast<size_t>(n)] && machine.is({"NUM-AMB-16", "skipped"}))
          d = static_cast<uint32_t>(dot.c);
        if (machine.is_disabled(place.cta, place.lane)) continue;
        if (is_half && machine.is({"AMB-24", "anything"})) defined[at] &= 0xffff;
        if (!machine.has_meaning(step, m, n)) defined[at] = 0;
        cells[at] = is_half && machine.is({"AMB-24", "unchanged"}) ? (cells[at] & 0xffff0000) | d : d;
      }
    is_first = false;
  }
}

}  // namespace

void slow_mma(const Tcgen05MmaCase& c, const spec::Readings& readings, const MmaWindows& windows,
              std::span<uint32_t> cells, std::span<uint32_t> defined) {
  std::fill(defined.begin(), defined.end(), ~0u);
  Tcgen05MmaCase one = c;
  slow_accumulation(one, readings, windows, cells, defined);
  if (c.second_column == 0) return;
  one.d_column = c.second_column;
  slow_accumulation(one, readings, windows, cells, defined);
}

std::optional<ElementSteps> steps_of(const Tcgen05MmaCase& c, const spec::Readings& readings,
                                     const MmaWindows& windows, std::span<const uint32_t> cells,
                                     uint32_t cell) {
  const Machine machine{c, readings, windows, cells};
  const auto find = [&](int m, int n) {
    const layout::TmemPlace place =
        layout::d_place(machine.form, m, n, static_cast<int>(c.n), static_cast<int>(c.lane));
    return machine.cell_index(place.cta, place.lane, static_cast<int>(c.d_column) + place.column) == cell &&
           !machine.is_disabled(place.cta, place.lane);
  };
  const int columns = static_cast<int>(c.n);
  int at = 0;
  const int elements = static_cast<int>(c.m) * columns;
  while (at < elements && !find(at / columns, at % columns)) ++at;
  if (at == elements && c.second_column != 0) {
    Tcgen05MmaCase second = c;
    second.d_column = c.second_column, second.second_column = 0;
    return steps_of(second, readings, windows, cells, cell);
  }
  if (at == elements) return std::nullopt;
  ElementSteps element;
  const int m = at / columns, n = at % columns;
  element.row = static_cast<uint32_t>(m), element.column = static_cast<uint32_t>(n);
  element.types = types_of(c);
  element.arithmetic = machine.arithmetic();
  element.is_zeroed = machine.zeroed()[static_cast<size_t>(n)];
  uint64_t d = cells[cell] & machine.formats.d->code_mask();
  bool is_first = true;
  for (const uint32_t step : machine.steps()) {
    InstructionSteps next;
    for (int k = 0; k < element.types.k; ++k) {
      next.a.push_back(machine.a_element(step, m, n, k));
      next.b.push_back(element.is_zeroed ? 0 : machine.b_element(step, m, n, k));
    }
    next.scale_a = machine.scales(true, step, m, n), next.scale_b = machine.scales(false, step, m, n);
    next.reads_c = !is_first || c.enable_input_d;
    if (next.reads_c) next.c = d;
    if (next.reads_c && c.has_scale_input_d) next.scale_input_d = static_cast<int>(c.scale_input_d);
    element.add(std::move(next));
    InstructionSteps& last = element.instructions.back();
    if (element.is_zeroed && machine.is({"NUM-AMB-16", "skipped"})) last.d = last.c;
    d = last.d;
    is_first = false;
  }
  return element;
}

}  // namespace assay::model
