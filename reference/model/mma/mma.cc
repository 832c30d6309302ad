// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/mma.h"

#include <algorithm>
#include <vector>

#include "reference/layout/tmem.h"
#include "reference/model/bend.h"
#include "reference/model/mma/adder_evidence.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/fast.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

/// Buffers of one thread, reused from case to case.
struct Buffers {
  std::vector<uint32_t> a, b, c, d, open, signed_a, signed_b, met;
  std::vector<uint8_t> a_scales, b_scales;
  template <typename Code>
  static std::span<Code> take(std::vector<Code>& from, size_t size) {
    if (from.size() < size) from.resize(size);
    return {from.data(), size};
  }
};

class Accumulation {
 public:
  Accumulation(const Tcgen05MmaCase& c, const spec::Readings& readings, const MmaWindows& windows,
               std::span<uint32_t> cells, std::span<uint32_t> defined, bool& all_defined)
      : c_(c),
        readings_(readings),
        bend_(readings.bend() == nullptr ? nullptr : &readings.bend()->mma),
        windows_(windows),
        cells_(cells),
        defined_(defined),
        all_defined_(all_defined),
        formats_(formats_of(c)),
        layout_(*d_layout_of(c)),
        k_(k_of(c)),
        b_k_(stored_k(c, false)),
        rows_(static_cast<int>(c.m / c.cta_group)),
        n_(static_cast<int>(c.n)),
        types_(types_of(c)),
        arithmetic_(arithmetic()) {
    if (c.has_mask) {
      mask_ = mask_of(c.mask);
      if (bends(&MmaBend::mask)) bend_->mask(mask_, static_cast<int>(c.m));
      masked_ = spec::zeroed_columns(mask_, static_cast<int>(c.m), n_, mask_readings_of(c, readings));
    }
    if (bends(&MmaBend::negates)) bend_->negates(negates_a_, negates_b_);
  }

  /// A bend led to bytes that the case says nothing of.
  bool leaves_window() const { return leaves_window_; }

  /// Adds the rules of the adder that the products could refute.
  void run(spec::RuleSet& rules) {
    rules_ = &rules;
    layout::SmemReadings of_a = shared_readings_of(c_, true, readings_),
                         of_b = shared_readings_of(c_, false, readings_);
    if (bends(&MmaBend::smem)) bend_->smem(of_a), bend_->smem(of_b);
    const uint32_t uses = c_.collector_filled ? 2 : 1;  // the one that fills, and the one that uses
    for (uint32_t i = 0; i < c_.steps * uses; ++i) {
      const uint32_t step = i / uses;
      is_first_ = i == 0;
      reuses_b_ = reuses(c_.collector) && i % uses == uses - 1;
      const std::span<uint32_t> b = gather_b(step, of_b);
      for (int cta = 0; cta < static_cast<int>(c_.cta_group); ++cta) {
        std::span<uint32_t> a;
        if (!c_.a_in_tmem) a = gather_shared_a(step, cta, of_a);
        for (int fold = 0; fold < layout_.folds; ++fold) {
          // A lies in the lanes in which D is.
          if (c_.a_in_tmem)
            a = gather_tmem_a(step, cta, bends(&MmaBend::fold) ? bend_->fold(layout_, fold) : fold);
          multiply(step, cta, fold, a, b);
        }
      }
      if (c_.ashift && !readings_.is({"AMB-07", "shifts_what_it_multiplies"})) shift_a(step);
    }
  }

 private:
  static thread_local Buffers buffers_;

  template <typename Hook>
  bool bends(Hook MmaBend::*hook) const {
    return bend_ != nullptr && bend_->*hook != nullptr;
  }

  numerics::Arithmetic arithmetic() const {
    // f16 by bf16 has no row of its own: each operand has its exponents, the rest is that of f16.
    numerics::Types types = types_;
    if (types.a != types.b && c_.kind == spec::MmaKind::f16) types.a = types.b = formats_.b;
    numerics::Arithmetic chosen = numerics::find_instruction("tcgen05", types, c_.saturate)->arithmetic;
    if (!formats_.d->is_integer()) choose_exponents(formats_, readings_, chosen);
    choose_scaled_arithmetic(c_, readings_, chosen);
    return chosen;
  }

  layout::SmemOperand operand_in_shared(bool is_a) const {
    layout::SmemOperand operand = shared_operand(c_, is_a);
    operand.mn_major = is_transposed(is_a, operand.mn_major);
    if (operand.packing != layout::Packing::plain && !is_block_scaled(c_) &&
        readings_.is({"AMB-22", "packed"}))
      operand.packing = layout::Packing::plain;
    return operand;
  }

  uint32_t& cell(int cta, int lane, int column) const {
    return cells_[(static_cast<size_t>(cta) * tmem_lanes + static_cast<size_t>(lane)) * c_.alloc_columns +
                  static_cast<size_t>(column)];
  }

  static void negate(const spec::Format& format, std::span<uint32_t> codes) {
    for (uint32_t& code : codes) code ^= static_cast<uint32_t>(format.sign_bit());
  }

  /// N columns of k, those of the even CTA first.
  std::span<uint32_t> gather_b(uint32_t step, const layout::SmemReadings& readings) {
    const std::span<uint32_t> b = Buffers::take(buffers_.b, static_cast<size_t>(n_) * b_k_);
    spec::SmemMatrix matrix = matrix_of(c_.b);
    matrix.start += step * c_.b_step * 16;
    const int columns = n_ / static_cast<int>(c_.cta_group);
    uint32_t masked_shift = mask_.column_shift;
    if (reuses_b_ && bends(&MmaBend::reused_shift))
      masked_shift = bend_->reused_shift(masked_shift, c_.max_shift);
    const int shift = c_.has_mask ? static_cast<int>(masked_shift) : 0;
    for (size_t cta = 0; cta < c_.cta_group; ++cta)
      gather(matrix, operand_in_shared(false), readings,
             windows_[bends(&MmaBend::cta_of_b) && c_.cta_group == 2
                          ? static_cast<size_t>(bend_->cta_of_b(static_cast<int>(cta)))
                          : cta],
             shift, columns, b_k_, b.subspan(cta * columns * b_k_));
    if (negates_b_) negate(*formats_.b, b);
    for (int n = 0; n < n_; ++n)
      if (is_masked(n)) std::fill_n(b.begin() + static_cast<long>(n) * b_k_, b_k_, 0u);
    return b;
  }

  bool is_transposed(bool is_a, bool right) const {
    return bends(&MmaBend::transposed) ? bend_->transposed(is_a, right) : right;
  }

  void gather(spec::SmemMatrix matrix, const layout::SmemOperand& operand,
              const layout::SmemReadings& readings, std::span<const std::byte> window, int first, int count,
              int k_count, std::span<uint32_t> codes) {
    if (bend_ != nullptr) {
      if (bend_->matrix != nullptr) bend_->matrix(matrix, operand.mn_major);
      const layout::LaidMatrix laid(matrix, operand, readings);
      for (int i = 0; i < count; ++i)
        for (int k = 0; k < k_count; ++k) {
          const auto place = laid.place(static_cast<uint32_t>(first + i), static_cast<uint32_t>(k));
          if (uint64_t{place.byte} / 16 * 16 + 16 <= window.size()) continue;
          leaves_window_ = true;
          std::fill(codes.begin(), codes.begin() + static_cast<ptrdiff_t>(count) * k_count, 0u);
          return;
        }
    }
    gather_shared(matrix, operand, readings, window, first, count, k_count, codes);
  }

  std::span<uint32_t> gather_shared_a(uint32_t step, int cta, const layout::SmemReadings& readings) {
    const std::span<uint32_t> a = Buffers::take(buffers_.a, static_cast<size_t>(rows_) * k_);
    spec::SmemMatrix matrix = matrix_of(c_.a);
    matrix.start += step * c_.a_step * 16;
    gather(matrix, operand_in_shared(true), readings, windows_[static_cast<size_t>(cta)], 0, rows_, k_, a);
    if (negates_a_) negate(*formats_.a, a);
    return a;
  }

  std::span<uint32_t> gather_tmem_a(uint32_t step, int cta, int fold) {
    const std::span<uint32_t> a = Buffers::take(buffers_.a, static_cast<size_t>(rows_) * k_);
    const layout::TmemPacking packing = packing_of_a(c_);
    const bool low = packing.in_bytes && packing.element_bits == 4 && readings_.is({"AMB-21", "bits_3_to_0"});
    const int first = static_cast<int>(c_.a_column + step * c_.a_step);
    const bool reads_shifted = c_.ashift && !readings_.is({"AMB-07", "shifts_what_it_leaves"});
    for (int row = 0; row < rows_; ++row)
      for (int k = 0; k < k_; ++k) {
        const layout::TmemPlace place =
            layout::tmem_a_place(layout_, packing, cta * rows_ + row, k, fold, static_cast<int>(c_.lane),
                                 low ? layout::NibblePlace::low : layout::NibblePlace::middle);
        a[static_cast<size_t>(row) * k_ + k] = static_cast<uint32_t>(
            cell(cta, reads_shifted ? lane_shifted_into(place.lane) : place.lane, first + place.column) >>
                place.bit &
            formats_.a->code_mask());
      }
    if (negates_a_) negate(*formats_.a, a);
    return a;
  }

  /// The lane whose row of A comes to a lane: the next one, but for the last of every 32.
  int lane_shifted_into(int lane) const {
    if (bends(&MmaBend::shifts_a) && !bend_->shifts_a(lane)) return lane;
    return lane % layout::shifted_rows == layout::shifted_rows - 1 ? lane : lane + 1;
  }

  /// Leaves A in tensor memory as a tcgen05.shift would.
  void shift_a(uint32_t step) {
    const int first = static_cast<int>(c_.a_column + step * c_.a_step);
    for (int cta = 0; cta < static_cast<int>(c_.cta_group); ++cta)
      for (int column = first; column < first + layout::shifted_columns; ++column)
        for (int lane = 0; lane < static_cast<int>(tmem_lanes); ++lane)
          cell(cta, lane, column) = cell(cta, lane_shifted_into(lane), column);
  }

  bool is_masked(int n) const { return !masked_.empty() && masked_[static_cast<size_t>(n)]; }

  bool is_disabled(int cta, int lane) const {
    if (!c_.has_disabled_lanes) return false;
    const bool issuer_first = c_.odd_cta_issues && readings_.is({"AMB-28", "issuing_cta_first"});
    int bit = (issuer_first ? 1 - cta : cta) * static_cast<int>(tmem_lanes) + lane;
    if (bends(&MmaBend::disabled_bit))
      bit = bend_->disabled_bit(bit, static_cast<int>(c_.cta_group * tmem_lanes));
    if (bit < 0) return false;
    return (c_.disabled_lanes[static_cast<size_t>(bit / 32)] >> (bit % 32) & 1) != 0;
  }

  /// The columns of one group of lanes of one CTA.
  void multiply(uint32_t step, int cta, int fold, std::span<const uint32_t> a,
                std::span<const uint32_t> all_b) {
    const int columns = n_ / layout_.folds, first = fold * columns;
    std::span<const uint32_t> b =
        all_b.subspan(static_cast<size_t>(first) * b_k_, static_cast<size_t>(columns) * b_k_);
    const size_t count = static_cast<size_t>(rows_) * columns;
    const int placed = bends(&MmaBend::fold) ? bend_->fold(layout_, fold) * columns : first;
    bool has_input = !is_first_ || c_.enable_input_d;
    if (bends(&MmaBend::reads_c)) has_input = bend_->reads_c(has_input);
    const bool is_half = formats_.d->storage_bits == 16;
    const std::span<uint32_t> c = Buffers::take(buffers_.c, count), d = Buffers::take(buffers_.d, count);
    std::fill(c.begin(), c.end(), 0u);
    if (has_input)
      for (int row = 0; row < rows_; ++row) {
        const uint32_t* from = first_cell(cta, row, placed);
        uint32_t* to = &c[static_cast<size_t>(row) * columns];
        for (int n = 0; n < columns; ++n) to[n] = is_half ? from[n] & 0xffff : from[n];
      }
    const int scale = has_input && c_.has_scale_input_d ? static_cast<int>(c_.scale_input_d) : 0;
    std::span<const uint8_t> a_scales, b_scales;
    if (types_.scale != nullptr) {
      a_scales = gather_scales(true, step, cta, 0, rows_, a);
      b_scales = gather_scales(false, step, cta, first, columns, b);
    }
    if (bend_ != nullptr) open_ = Buffers::take(buffers_.open, count);
    const numerics::Tile tile{rows_, columns, a, b, c, a_scales, b_scales, scale};
    if (c_.sparse)
      multiply_sparse(tile, step, cta, fold, has_input, d);
    else
      product(tile, has_input, d, open_);
    if (bend_ == nullptr) skip_masked(tile, first, d);
    write(cta, placed, columns, d);
  }

  void product(const numerics::Tile& tile, bool has_input, std::span<uint32_t> d, std::span<uint32_t> open) {
    const numerics::Arithmetic scaled = with_scaling(tile);
    if (bend_ != nullptr) return bent_tile(*bend_, scaled, types_, tile, has_input, d, open);
    multiply_tile(scaled, tile, d);
    note(scaled, tile, has_input, d);
  }

  void multiply_tile(const numerics::Arithmetic& scaled, const numerics::Tile& tile, std::span<uint32_t> d) {
    numerics::fast_tile(scaled, types_, tile, d);
    if (const auto signs = with_zero_signs(scaled, d)) numerics::fast_tile(*signs, types_, tile, d);
  }

  void note(const numerics::Arithmetic& scaled, const numerics::Tile& tile, bool has_input,
            std::span<const uint32_t> d) {
    const std::span<const uint32_t> read = has_input ? tile.c : std::span<const uint32_t>();
    note_adder_rules(
        {types_, scaled, tile.a, tile.b, read, d, !is_first_, tile.scale_input_d, tile.scale_a, tile.scale_b},
        *rules_);
  }

  /// Each row of A meets elements of B of its own. Of every eighth what it could refute is noted.
  void multiply_sparse(const numerics::Tile& all, uint32_t step, int cta, int fold, bool has_input,
                       std::span<uint32_t> d) {
    const auto rows = static_cast<uint32_t>(rows_), noted_rows = uint32_t{8};
    const auto k = static_cast<size_t>(k_), n = static_cast<size_t>(all.n);
    met_places_.resize(rows * k);
    row_is_open_.assign(static_cast<size_t>(rows_), false);
    const auto cell_of = [&](int lane, int column) {
      // Only a bend leads elsewhere.
      const bool is_there =
          column < static_cast<int>(c_.alloc_columns) && lane < static_cast<int>(tmem_lanes);
      leaves_window_ |= !is_there;
      return is_there ? cell(cta, lane, column) : 0u;
    };
    for (uint32_t row = 0; row < rows; ++row) {
      const RowCodes codes =
          row_codes(c_, layout_, readings_, bend_, step, static_cast<int>(row), fold, cell_of);
      row_is_open_[row] = !codes.has_meaning;
      met_places(c_, codes, bend_, std::span(met_places_).subspan(row * k, k));
    }
    numerics::Tile tile = all;
    tile.met = met_places_, tile.stored_k = stored_k(c_, false);
    const numerics::Arithmetic scaled = with_scaling(tile);
    if (bend_ != nullptr && bend_->block == nullptr) return product(tile, has_input, d, open_);
    if (bend_ == nullptr) multiply_tile(scaled, tile, d);
    for (uint32_t row = 0; row < rows; row += bend_ == nullptr ? noted_rows : 1) {
      const numerics::Tile one = dense_row(tile, row, buffers_.met);
      const std::span<uint32_t> to = d.subspan(row * n, n);
      if (bend_ == nullptr)
        note(scaled, one, has_input, to);
      else
        product(one, has_input, to, open_.subspan(row * n, n));
    }
  }

  /// The scales of `count` rows of A or columns of B, and the elements with the signs that scales may give.
  std::span<const uint8_t> gather_scales(bool is_a, uint32_t step, int cta, int first, int count,
                                         std::span<const uint32_t>& elements) {
    const auto blocks = static_cast<size_t>(types_.scale_count());
    const std::span<uint8_t> scales =
        Buffers::take(is_a ? buffers_.a_scales : buffers_.b_scales, static_cast<size_t>(count) * blocks);
    const layout::ScaleReadings readings = scale_readings(c_, readings_);
    const auto cell_of = [&](int lane, int column) {
      // Only a bend leads there.
      const bool is_there = column < static_cast<int>(c_.alloc_columns);
      leaves_window_ |= !is_there;
      return is_there ? cell(cta, lane, column) : 0u;
    };
    std::span<uint32_t> signed_elements;
    for (int i = 0; i < count; ++i)
      for (size_t s = 0; s < blocks; ++s) {
        uint8_t code =
            scale_at(c_, layout_, readings, bend_, is_a, first + i, step, static_cast<int>(s), cell_of);
        if (bends(&MmaBend::scale_code)) code = bend_->scale_code(types_, code);
        const ScaleCode read = read_scale(*types_.scale, code, readings_);
        scales[static_cast<size_t>(i) * blocks + s] = read.code;
        if (!read.negates) continue;
        if (signed_elements.empty()) {
          signed_elements = Buffers::take(is_a ? buffers_.signed_a : buffers_.signed_b, elements.size());
          std::copy(elements.begin(), elements.end(), signed_elements.begin());
        }
        const size_t block = static_cast<size_t>(types_.scale_block * (is_a ? 1 : b_k_ / k_));
        negate(is_a ? *formats_.a : *formats_.b,
               signed_elements.subspan((static_cast<size_t>(i) * blocks + s) * block, block));
      }
    if (!signed_elements.empty()) elements = signed_elements;
    return scales;
  }

  uint32_t* first_cell(int cta, int row, int n) const {
    layout::TmemPlace place = layout::d_place(layout_, cta * rows_ + row, n, n_, static_cast<int>(c_.lane));
    if (bends(&MmaBend::lane)) place.lane = bend_->lane(layout_, place.lane);
    return &cell(place.cta, place.lane, static_cast<int>(c_.d_column) + place.column);
  }

  /// Where scaling the accumulator leaves the normal numbers, its rounding is open.
  numerics::Arithmetic with_scaling(const numerics::Tile& tile) const {
    numerics::Arithmetic chosen = arithmetic_;
    if (tile.scale_input_d == 0) return chosen;
    const spec::Format& format = *formats_.d;
    const bool open = std::any_of(tile.c.begin(), tile.c.end(), [&](uint32_t code) {
      const auto exponent = static_cast<int>(code >> format.mantissa_bits & format.exponent_mask());
      return exponent <= tile.scale_input_d && (code & ~format.sign_bit() & format.code_mask()) != 0;
    });
    if (!open) return chosen;
    if (readings_.is({"NUM-AMB-17", "rounded"}))
      chosen.scaled_input = numerics::ScaledInput::rounded_to_nearest_even;
    if (readings_.is({"NUM-AMB-17", "truncated"}))
      chosen.scaled_input = numerics::ScaledInput::rounded_toward_zero;
    return chosen;
  }

  /// The arithmetic of a rival about signs of zeros, where there is a zero and a rival is chosen.
  std::optional<numerics::Arithmetic> with_zero_signs(const numerics::Arithmetic& usual,
                                                      std::span<const uint32_t> d) const {
    if (formats_.d->is_integer()) return std::nullopt;
    if (std::find(d.begin(), d.end(), 0u) == d.end()) return std::nullopt;
    if (readings_.is({"NUM-AMB-03", "always_plus"})) return std::nullopt;
    numerics::Arithmetic rival = usual;
    choose_zero_sign(readings_, rival);
    return rival;
  }

  /// Under a rival a masked column is skipped: D is what C was, or zero without input.
  void skip_masked(const numerics::Tile& tile, int first, std::span<uint32_t> d) const {
    if (masked_.empty()) return;
    bool differs = false;
    const auto each = [&](auto&& visit) {
      for (int row = 0; row < tile.m; ++row)
        for (int n = 0; n < tile.n; ++n)
          if (is_masked(first + n)) visit(static_cast<size_t>(row) * tile.n + n);
    };
    each([&](size_t at) { differs |= d[at] != tile.c[at]; });
    if (!differs || !readings_.is({"NUM-AMB-16", "skipped"})) return;
    each([&](size_t at) { d[at] = tile.c[at]; });
  }

  void write(int cta, int first, int columns, std::span<const uint32_t> d) {
    const bool is_half = formats_.d->storage_bits == 16;
    const bool keeps_upper = is_half && readings_.is({"AMB-24", "unchanged"});
    const bool opens_upper = is_half && readings_.is({"AMB-24", "anything"});
    for (int row = 0; row < rows_; ++row) {
      uint32_t* to = first_cell(cta, row, first);
      const size_t at = static_cast<size_t>(to - cells_.data());
      const int lane = static_cast<int>(at / c_.alloc_columns % tmem_lanes);
      if (is_disabled(cta, lane)) continue;
      const uint32_t* from = &d[static_cast<size_t>(row) * columns];
      for (int n = 0; n < columns; ++n) to[n] = keeps_upper ? (to[n] & 0xffff0000) | from[n] : from[n];
      if (opens_upper) leave_open(at, columns, [](int) { return 0xffff0000; });
      if (c_.sparse && row_is_open_[static_cast<size_t>(row)])
        leave_open(at, columns, [](int) { return ~0u; });
      if (bends(&MmaBend::open_bits))
        leave_open(at, columns,
                   [&](int n) { return open_[static_cast<size_t>(row) * columns + static_cast<size_t>(n)]; });
    }
  }

  /// `bits` of the cells from `at` on may be anything.
  template <typename Bits>
  void leave_open(size_t at, int columns, Bits bits) {
    if (all_defined_) std::fill(defined_.begin(), defined_.end(), ~0u);
    all_defined_ = false;
    for (int n = 0; n < columns; ++n) defined_[at + static_cast<size_t>(n)] &= ~bits(n);
  }

  const Tcgen05MmaCase& c_;
  const spec::Readings& readings_;
  const MmaBend* const bend_;
  const MmaWindows& windows_;
  const std::span<uint32_t> cells_, defined_;
  bool& all_defined_;
  const MmaFormats formats_;
  const layout::DLayoutRow& layout_;
  const int k_, b_k_, rows_, n_;
  const numerics::Types types_;
  const numerics::Arithmetic arithmetic_;
  spec::ZeroColumnMask mask_;
  std::vector<bool> masked_;
  std::span<uint32_t> open_;
  std::vector<bool> row_is_open_;
  std::vector<uint16_t> met_places_;  ///< of a sparse A
  bool negates_a_ = c_.negate_a, negates_b_ = c_.negate_b, leaves_window_ = false;
  bool is_first_ = true;
  bool reuses_b_ = false;  ///< the instruction takes B from the collector
  spec::RuleSet* rules_ = nullptr;
};

thread_local Buffers Accumulation::buffers_;

}  // namespace

Tcgen05MmaPrediction predict_mma(const Tcgen05MmaCase& c, const spec::Readings& readings,
                                 const MmaWindows& windows, std::span<uint32_t> cells,
                                 std::span<uint32_t> defined) {
  Tcgen05MmaPrediction prediction;
  prediction.rules = broken_mma_rules(c, readings);
  // The collector holds nothing that a first instruction could use.
  const bool uses_empty_collector = reuses(c.collector) && !c.collector_filled;
  // Bits flipped into a word that is legal here: another instruction than that of the fields. K of 96, which
  // sm_100 lacks, is one on sm_103.
  const bool is_another = (c.idesc_flip | c.a_flip | c.b_flip) != 0;
  if (prediction.rules.any() || is_another || uses_empty_collector) {
    const bool refused = !uses_empty_collector && is_refused(c, prediction.rules, readings);
    prediction.end = refused ? End::illegal_instruction : End::undefined;
    leave_d_open(c, defined, prediction.all_defined);
    return prediction;
  }
  prediction.rules = exercised_mma_rules(c, readings.arch());
  Accumulation accumulation(c, readings, windows, cells, defined, prediction.all_defined);
  const bool copy_overtakes = c.scales_refilled && readings.is({"AMB-52", "copy_overtakes"});
  if (copy_overtakes) refill_scales(c, readings, windows, cells);
  accumulation.run(prediction.rules);
  const bool was_apart = c.scales_refilled && readings.bend() != nullptr && have_scales_apart(c, cells);
  if (c.scales_refilled && !copy_overtakes) refill_scales(c, readings, windows, cells);
  if (c.scales_refilled && readings.is({"AMB-52", "anything"}))
    leave_d_open(without_second(c), defined, prediction.all_defined);
  if (c.second_column != 0) {
    const Tcgen05MmaCase second = on_second(c);
    Accumulation(second, readings, windows, cells, defined, prediction.all_defined).run(prediction.rules);
  }
  if (accumulation.leaves_window()) prediction.end = End::undefined;
  // Where all lanes are to hold the same scales, those that differ have no result.
  const bool has_no_result =
      (c.scale_halves && readings.is({"AMB-09", "all_columns"})) ||
      (c.scale_halves && c.scales_copied && readings.is({"AMB-25", "half_for_a_warp"})) ||
      (c.metadata.selector >= 2 && readings.is({"AMB-20", "anything"})) ||
      (readings.bend() != nullptr && (was_apart || have_scales_apart(c, cells)));
  if (has_no_result) leave_d_open(c, defined, prediction.all_defined);
  if (readings.bend() != nullptr && readings.bend()->program.spoils != nullptr)
    prediction.end = End::undefined;
  if (readings.bend() != nullptr && readings.bend()->program.never_ends)
    prediction.end = End::never_completes;
  return prediction;
}

}  // namespace assay::model
