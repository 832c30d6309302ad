// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "generators/mma/cases.h"
#include "kernels/forms/records.h"
#include "reference/layout/swizzle.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/mma.h"
#include "reference/model/tmem/scale_copy.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/questions.h"
#include "suites/failure/element_words.h"
#include "suites/mma/coverage.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using params::OperandFill;
using params::Tcgen05MmaRecord;

/// The probes may not see the model.
static_assert(are_same_enumerators<Collector, params::Collector, 5>());

/// The words that the probes of the CTA of that rank fill memory with.
OperandFill fill_of_rank(const OperandPattern& pattern, uint32_t rank) {
  OperandFill fill = operand_fill(pattern);
  fill.seed += uint64_t{rank} << 32;
  return fill;
}

/// With the scales behind the operands, those of A first.
uint32_t window_bytes(const Tcgen05MmaCase& c) {
  return c.window_bytes + model::copied_scale_bytes(c, true) + model::copied_scale_bytes(c, false);
}

void fill_window(const Tcgen05MmaCase& c, uint32_t rank, std::vector<uint32_t>& words) {
  words.resize(c.window_bytes / 4);
  words.reserve(window_bytes(c) / 4);
  const OperandFill a = fill_of_rank(c.a_fill, rank), b = fill_of_rank(c.b_fill, rank);
  const size_t split = std::min<size_t>(c.split / 4, words.size());
  if (c.known.present) {
    for (size_t i = 0; i < words.size(); ++i)
      words[i] = (i < split ? c.known.a_row : c.known.b_column)[i / 32 % 2 * 4 + i % 4];
  } else {
    const PatternKernels& kernels = pattern_kernels_of_this_processor().front();
    kernels.range(a, 0, std::span(words).first(split));
    kernels.range(b, split, std::span(words).subspan(split));
  }
  for (const bool is_a : {true, false}) {
    const OperandFill scales = fill_of_rank(is_a ? c.a_scales.fill : c.b_scales.fill, rank);
    for (uint32_t i = 0; i < model::copied_scale_bytes(c, is_a) / 4; ++i)
      words.push_back(params::operand_word(scales, i));
  }
}

size_t cell_count(const Tcgen05MmaCase& c) {
  return size_t{c.cta_group} * model::tmem_lanes * c.alloc_columns;
}

/// What a case fills memory with, but for scales and metadata in tensor memory.
struct FilledMemory {
  std::optional<Tcgen05MmaCase> of;
  std::vector<uint32_t> windows[2], cells;
};

/// Valid until this thread asks for another case: one is predicted under many readings and altered rules.
const FilledMemory& filled_memory(const Tcgen05MmaCase& c) {
  thread_local FilledMemory kept;
  if (kept.of == c) return kept;
  kept.of.reset();
  kept.cells.resize(cell_count(c));
  const size_t per_cta = kept.cells.size() / c.cta_group;
  for (uint32_t rank = 0; rank < c.cta_group; ++rank) {
    fill_window(c, rank, kept.windows[rank]);
    const OperandFill a = fill_of_rank(c.tmem_a_fill, rank), d = fill_of_rank(c.d_fill, rank);
    const PatternKernels& kernels = pattern_kernels_of_this_processor().front();
    const size_t columns = c.alloc_columns, split = std::min<size_t>(c.tmem_split, columns);
    for (size_t first = 0; first < per_cta; first += columns) {
      const std::span<uint32_t> lane = std::span(kept.cells).subspan(rank * per_cta + first, columns);
      kernels.range(d, first, lane.first(split));
      kernels.range(a, first + split, lane.subspan(split));
    }
  }
  kept.of = c;
  return kept;
}

/// Valid until this thread asks for another case.
model::MmaWindows windows_of(const Tcgen05MmaCase& c) {
  const FilledMemory& memory = filled_memory(c);
  model::MmaWindows given;
  for (uint32_t rank = 0; rank < c.cta_group; ++rank)
    given[rank] = std::as_bytes(std::span(memory.windows[rank]));
  return given;
}

/// Over what the columns hold already.
void fill_scales(const Tcgen05MmaCase& c, const spec::Readings& readings, std::span<uint32_t> cells) {
  const size_t per_cta = cells.size() / c.cta_group;
  for (uint32_t rank = 0; rank < c.cta_group; ++rank)
    for (const bool is_a : {true, false}) {
      const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
      if (c.scales_copied) {
        // Row 32 and on: as the upper half of the lanes would have it.
        const auto receive = [&](uint32_t lane, uint32_t column, const model::CopiedCell& from) {
          const uint32_t of_row = params::scale_word(from.row % 32 + from.row / 32 * 64, from.column, true);
          cells[rank * per_cta + lane * c.alloc_columns + column] =
              params::operand_word(fill_of_rank(scales.fill, from.cta), of_row);
        };
        model::each_copied_cell(c, readings, model::copies_of_scales(c, is_a), rank, receive);
        continue;
      }
      const OperandFill fill = fill_of_rank(scales.fill, rank);
      for (uint32_t lane = 0; lane < model::tmem_lanes; ++lane)
        for (uint32_t column = 0; column < scales.columns; ++column)
          cells[rank * per_cta + lane * c.alloc_columns + scales.column + column] =
              params::operand_word(fill, params::scale_word(lane, column, !is_a && c.scale_halves));
    }
}

params::MetadataFill metadata_of(const Tcgen05MmaCase& c) {
  const MetadataInTensorMemory& m = c.metadata;
  return {m.seed,
          m.codes,
          m.strange_codes,
          m.strange_rate,
          m.column,
          m.columns,
          c.sparse && model::has_interleaved_metadata(c) ? 1u : 0u};
}

/// Over what the columns hold already.
void fill_metadata(const Tcgen05MmaCase& c, const spec::Readings& readings, std::span<uint32_t> cells) {
  const size_t per_cta = cells.size() / c.cta_group;
  const params::MetadataFill of_first = metadata_of(c);
  for (uint32_t rank = 0; rank < c.cta_group; ++rank) {
    params::MetadataFill fill = of_first;
    if (c.metadata_copied) {
      const auto receive = [&](uint32_t lane, uint32_t column, const model::CopiedCell& from) {
        fill.seed = of_first.seed + (uint64_t{from.cta} << 32);
        cells[rank * per_cta + lane * c.alloc_columns + column] =
            params::metadata_word(fill, from.row, from.column);
      };
      model::each_copied_cell(c, readings, model::copies_of_metadata(c), rank, receive);
      continue;
    }
    fill.seed += uint64_t{rank} << 32;
    for (uint32_t lane = 0; lane < model::tmem_lanes; ++lane)
      for (uint32_t column = 0; column < fill.columns; ++column)
        cells[rank * per_cta + lane * c.alloc_columns + fill.column + column] =
            params::metadata_word(fill, lane, column);
  }
}

bool products_come_first(const Tcgen05MmaCase& c, const spec::Readings& readings) {
  return (c.scales_copied || c.metadata_copied) && readings.bend() != nullptr &&
         readings.bend()->tmem_copy.products_overtake;
}

/// Before the products.
void fill_cells(const Tcgen05MmaCase& c, const spec::Readings& readings, std::span<uint32_t> cells) {
  std::copy_n(filled_memory(c).cells.begin(), cells.size(), cells.begin());
  const bool are_late = products_come_first(c, readings);
  if (!are_late || !c.metadata_copied) fill_metadata(c, readings, cells);
  if (!are_late || !c.scales_copied) fill_scales(c, readings, cells);
}

static_assert(params::scale_copy_bytes == model::scale_copy_bytes &&
              params::scale_copy_columns == model::scale_copy_columns &&
              params::metadata_copy_bytes == model::metadata_copy_bytes &&
              params::metadata_copy_columns == model::metadata_copy_columns);

params::TensorScales scales_of(const Tcgen05MmaCase& c, bool is_a) {
  const ScalesInTensorMemory& scales = is_a ? c.a_scales : c.b_scales;
  return {operand_fill(scales.fill), scales.column, scales.columns,
          model::is_block_scaled(c) ? model::scale_group(c, is_a) : 0,
          c.window_bytes + (is_a ? 0 : model::copied_scale_bytes(c, true))};
}

/// Of both CTAs, behind the cells.
size_t image_bytes(const Tcgen05MmaCase& c) {
  return c.by_tma ? size_t{c.cta_group} * window_bytes(c) : 0;
}

/// The way TMA takes with the swizzle that B's descriptor has.
const spec::Swizzle& image_swizzle(const Tcgen05MmaCase& c) {
  return *spec::find_swizzle(spec::find_smem_swizzle(uint64_t{c.b.swizzle})->name);
}

/// What TMA finds in global memory and leaves there.
void write_image(const Tcgen05MmaCase& c, std::span<const std::byte> window, std::span<std::byte> image) {
  const model::SwizzlePattern pattern = model::pattern_of(image_swizzle(c));
  for (uint32_t at = 0; at < image.size(); at += 16) std::memcpy(&image[at], &window[pattern.place(at)], 16);
}

params::OperandImage image_of(const Tcgen05MmaCase& c) {
  params::OperandImage image{};
  if (!c.by_tma) return image;
  const spec::Swizzle& swizzle = image_swizzle(c);
  image.row_bytes = static_cast<uint16_t>(swizzle.span_bytes == 0 ? 128 : swizzle.span_bytes);
  image.swizzle = static_cast<uint8_t>(swizzle.host);
  const uint32_t rows = window_bytes(c) / image.row_bytes;
  image.box_rows = std::min(256u, rows & (0 - rows));  // a power of two that divides them
  return image;
}

uint32_t mma_flags_of(const Tcgen05MmaCase& c) {
  return c.issuing_thread * params::mma_issuing_thread + c.spelling % 4 * params::mma_way +
         flags_of<params::mma_flags>(c);
}

class Tcgen05Mma final : public PlainFamily<Tcgen05MmaCase, Tcgen05MmaRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "tcgen05_mma"; }
  uint32_t output_bytes(const Case& any) const override {
    const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
    return static_cast<uint32_t>(cell_count(c) * 4 + image_bytes(c));
  }
  uint32_t batch_key(const Case& any) const override { return any.as<Tcgen05MmaCase>().cta_group; }

  void complete(const Tcgen05MmaCase& c, const spec::Readings&, Tcgen05MmaRecord& r) const override {
    r.a_desc = c.a_in_tmem ? 0 : model::a_word(c);
    r.b_desc = model::b_word(c);
    r.zero_column_mask = c.has_mask ? model::mask_word(c) : 0;
    r.idesc = model::idesc_word(c);
    r.flags = mma_flags_of(c);
    r.scale_count = static_cast<uint8_t>(model::scale_count(c));
    r.a_scales = scales_of(c, true), r.b_scales = scales_of(c, false);
    r.metadata = metadata_of(c);
    r.opcode = forms::opcode_of(r);
    r.filling_opcode = c.collector_filled ? forms::filling_opcode_of(r) : r.opcode;
    r.d_taddr = c.lane << 16 | c.d_column;
    r.a_taddr = c.lane << 16 | c.a_column;
    r.window_bytes = window_bytes(c);
    r.scale_copy_desc = c.scales_copied || c.metadata_copied ? model::scale_copy_descriptor() : 0;
    std::copy(c.disabled_lanes.begin(), c.disabled_lanes.end(), r.disable_output_lane);
    r.image = image_of(c);
    r.known.c = 0;
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    const auto r = record_from<Tcgen05MmaRecord>(bytes);
    Launch launch = launch_of_record(r);
    if (r.image.row_bytes != 0)
      launch.host_text =
#include "suites/mma/image_host.inc"
          ;
    return launch;
  }
  uint64_t pace() const override {
    return 16;
  }
  std::span<const Descriptor> descriptors() const override {
    return tcgen05_descriptors();
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
    const model::MmaWindows given = windows_of(c);
    const size_t count = cell_count(c);
    const size_t size = count * 4 + image_bytes(c);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, size);
    const std::span<std::byte> mask = scratch.take(scratch.mask, size);
    const std::span cells(reinterpret_cast<uint32_t*>(bytes.data()), count);
    const std::span defined(reinterpret_cast<uint32_t*>(mask.data()), count);
    fill_cells(c, readings, cells);
    const model::Tcgen05MmaPrediction prediction = model::predict_mma(c, readings, given, cells, defined);
    if (products_come_first(c, readings)) {
      if (c.metadata_copied) fill_metadata(c, readings, cells);
      fill_scales(c, readings, cells);
      if (c.scales_refilled) model::refill_scales(c, readings, given, cells);
    }
    std::fill(mask.begin() + static_cast<ptrdiff_t>(count * 4), mask.end(), std::byte{0xff});
    if (c.by_tma)
      for (uint32_t rank = 0; rank < c.cta_group; ++rank)
        write_image(c, given[rank], bytes.subspan(count * 4 + rank * given[rank].size(), given[rank].size()));
    e.end = prediction.end;
    e.may_crash = false;
    e.judges_bytes =
        prediction.end != model::End::illegal_instruction && prediction.end != model::End::never_completes;
    e.bytes = bytes;
    e.mask = prediction.all_defined ? std::span<std::byte>{} : mask;
    e.rules = prediction.rules;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    return mma_fields(any.as<Tcgen05MmaCase>());
  }
  std::string brief(const Case& any) const override {
    return mma_brief(any.as<Tcgen05MmaCase>());
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
    if (byte >= cell_count(c) * 4) return "image";
    const auto column = static_cast<uint32_t>(byte / 4 % c.alloc_columns);
    const layout::DLayoutRow* layout = model::d_layout_of(c);
    const auto columns =
        layout == nullptr ? 256u : static_cast<uint32_t>(layout::d_columns(*layout, static_cast<int>(c.n)));
    const bool in_second = c.second_column != 0 && column - c.second_column < columns;
    return in_second || column - c.d_column < columns ? "D" : "outside D";
  }

  std::span<const model::Bend> bends() const override {
    return model::mma_bends();
  }

  std::string open_result(const Case& any, const Expected& e, const spec::Readings& readings,
                          const RecordEnd& end, std::span<const std::byte> output) const override {
    Tcgen05MmaCase right = any.as<Tcgen05MmaCase>();
    right.idesc_flip = 0, right.a_flip = right.b_flip = right.mask_flip = 0;
    return open_result_beside(*this, Case(right), "D", e, readings, end, output);
  }

  OutputShape output_shape(const Case& any) const override {
    const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
    const spec::MmaKind kind = c.kind;
    // Two f16 never share a cell of D: the upper half is not defined.
    return {4,
            c.alloc_columns * 4,
            0,
            spec::row_of(kind).is_integer                                       ? "s32"
            : c.d_type == spec::type_code::d_f32 || kind == spec::MmaKind::tf32 ? "f32"
                                                                                : "",
            "lane",
            "column"};
  }
  Diagnosis diagnose(const Case& any, const spec::Readings& readings, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
    if (byte >= cell_count(c) * 4 || model::broken_mma_rules(c, readings).any()) return {};
    std::vector<uint32_t> cells(cell_count(c));
    fill_cells(c, readings, cells);
    const model::MmaWindows windows = windows_of(c);
    std::vector<uint32_t> refilled;
    if (c.scales_refilled) model::refill_scales(c, readings, windows, refilled = cells);
    const auto element_at = [&](uint64_t at) -> std::optional<model::ElementSteps> {
      if (at >= cell_count(c) * 4) return std::nullopt;
      const bool is_second = c.second_column != 0 && at / 4 % c.alloc_columns >= c.second_column;
      const bool has_others = c.scales_refilled && (is_second || readings.is({"AMB-52", "copy_overtakes"}));
      return model::steps_of(c, readings, windows, has_others ? refilled : cells,
                             static_cast<uint32_t>(at / 4));
    };
    const auto element = element_at(byte);
    const uint64_t right = element_in(expected.bytes, byte, 4), wrong = element_in(observed, byte, 4);
    if (element && ((right ^ wrong) & element->types.d->code_mask()) != 0)
      return diagnose_element(element_at, 4, expected, observed, byte);
    // What the instruction leaves as it was, and the upper half of a cell that holds an f16.
    const ElementPlace at = element_place(any, byte);
    return {"lane " + std::to_string(at.tmem_lane) + ", column " + std::to_string(at.tmem_column) +
                " of CTA " + std::to_string(at.cluster_rank) +
                (element ? ", above D," : ", which is not of D,") + " is " + hex_words(wrong) +
                ", expected " + hex_words(right),
            {}};
  }

  /// The image behind the cells is global memory.
  ElementPlace element_place(const Case& any, uint64_t byte) const override {
    const Tcgen05MmaCase& c = any.as<Tcgen05MmaCase>();
    if (byte >= cell_count(c) * 4) return {};
    const auto cell = static_cast<uint32_t>(byte / 4);
    const uint32_t lane = cell / c.alloc_columns;
    return {static_cast<int>(lane / model::tmem_lanes), static_cast<int>(lane % model::tmem_lanes),
            static_cast<int>(cell % c.alloc_columns), -1};
  }

  Case from_json(const nlohmann::json& json) const override {
    const Tcgen05MmaCase c = model::case_from_json<Tcgen05MmaCase>(json);
    if (!model::fits_rig(c))
      throw std::runtime_error(
          "the case reads or writes outside its window or its allocation, or is of a form "
          "that the probe has no instruction for.");
    const auto is_illegal_on = [&](spec::Arch arch) {
      return spec::has_tcgen05(arch) && model::broken_mma_rules(c, spec::Readings(arch)).any();
    };
    if ((c.idesc_flip | c.a_flip | c.b_flip | c.mask_flip) != 0 &&
        std::none_of(spec::all_archs.begin(), spec::all_archs.end(), is_illegal_on))
      throw std::runtime_error(
          "the flipped bits give another legal descriptor; set its fields instead of flipping bits.");
    return c;
  }
};

}  // namespace

const Family& tcgen05_mma_family() {
  static const Tcgen05Mma family;
  return family;
}

}  // namespace assay::suites
