// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "generators/mma/cases.h"
#include "generators/tmem/copy_cases.h"
#include "kernels/forms/records.h"
#include "kernels/params/tmem_ld_red.h"
#include "reference/layout/tmem.h"
#include "reference/model/mma/fields.h"
#include "reference/model/tmem/access.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family_of.h"
#include "suites/run/generate.h"
#include "suites/run/property.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/tmem/families.h"

namespace assay::suites {
namespace {

static_assert(are_rows<params::TmemShape, layout::tmem_shapes>());

using params::TmemAccessRecord;

size_t cells_of(const TmemAccessCase& c) {
  return size_t{model::tmem_lanes} * c.alloc_columns;
}
constexpr size_t register_count = 128 * size_t{model::tmem_output_registers};

class TmemAccess final : public PlainFamily<TmemAccessCase, TmemAccessRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "tmem_access"; }
  uint32_t output_bytes(const Case& any) const override {
    const TmemAccessCase& c = any.as<TmemAccessCase>();
    return static_cast<uint32_t>((c.is_store ? cells_of(c) : register_count) * 4);
  }

  void complete(const TmemAccessCase& c, const spec::Readings&, TmemAccessRecord& r) const override {
    r.taddr = c.lane << 16 | c.column;
    r.opcode = forms::opcode_of(r);
    r.one_address = static_cast<uint8_t>(c.same_address ? 1 + c.named_warp : 0);
  }

  uint64_t pace() const override { return 32; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const TmemAccessCase& c = any.as<TmemAccessCase>();
    thread_local std::vector<uint32_t> source;
    const size_t count = output_bytes(any) / 4;
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, count * 4);
    const std::span<std::byte> mask = scratch.take(scratch.mask, count * 4);
    const std::span words(reinterpret_cast<uint32_t*>(bytes.data()), count);
    model::Tcgen05MmaPrediction prediction;
    if (c.is_store) {
      source.resize(register_count);
      pattern_words.range(c.register_fill, 0, source);
      pattern_words.range(c.d_fill, 0, words);
      prediction = model::predict_tmem_store(c, readings, source, words,
                                             std::span(reinterpret_cast<uint32_t*>(mask.data()), count));
    } else {
      source.resize(cells_of(c));
      pattern_words.range(c.d_fill, 0, source);
      prediction = model::predict_tmem_load(c, readings, source, words);
    }
    e.end = prediction.end;
    e.may_crash = false;
    // Of a launch that faults nothing comes back.
    e.judges_bytes = prediction.end == model::End::done || prediction.end == model::End::undefined;
    e.bytes = bytes;
    e.mask = prediction.all_defined ? std::span<std::byte>{} : mask;
    e.rules = prediction.rules;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const TmemAccessCase& c = any.as<TmemAccessCase>();
    std::vector<std::pair<std::string, std::string>> list{
        {"instruction", instruction(c)},
        {"address", "lane " + std::to_string(c.lane) + ", column " + std::to_string(c.column)},
        {"allocation", std::to_string(c.alloc_columns) + " columns"}};
    tell(c, list);
    if (c.same_address)
      list.emplace_back("lane field", "in all warps that of warp " + std::to_string(c.named_warp));
    if (c.warps != 4) list.emplace_back("run by", "the last 4 of " + std::to_string(c.warps) + " warps");
    if (c.shape == 4) list.emplace_back("columns between halves", std::to_string(c.split));
    return list;
  }
  std::string brief(const Case& any) const override { return " " + instruction(any.as<TmemAccessCase>()); }
  std::string place(const Case& any, uint64_t, uint8_t) const override {
    return any.as<TmemAccessCase>().is_store ? "cells" : "registers";
  }

  std::span<const model::Bend> bends() const override { return model::tmem_access_bends(); }

  OutputShape output_shape(const Case& any) const override {
    const TmemAccessCase& c = any.as<TmemAccessCase>();
    return {4, 4 * (c.is_store ? c.alloc_columns : model::tmem_output_registers), 0, ""};
  }
  /// A register that the instruction lacks comes from no place.
  PlaceOfByte element_places(const Case& any) const override {
    return [&c = any.as<TmemAccessCase>()](uint64_t byte) { return element_place(c, byte); };
  }

  Case from_json(const nlohmann::json& json) const override {
    const TmemAccessCase c = model::case_from_json<TmemAccessCase>(json);
    if (!model::fits_rig(c))
      throw std::runtime_error("the case names no instruction of the probe, or leaves its allocation.");
    return c;
  }

 private:
  static ElementPlace element_place(const TmemAccessCase& c, uint64_t byte) {
    const auto word = static_cast<uint32_t>(byte / 4);
    if (c.is_store)
      return {.cluster_rank = 0,
              .tmem_lane = static_cast<int>(word / c.alloc_columns),
              .tmem_column = static_cast<int>(word % c.alloc_columns)};
    const auto thread = static_cast<int>(word / model::tmem_output_registers);
    const auto r = static_cast<int>(word % model::tmem_output_registers);
    if (r >= layout::tmem_shapes[c.shape].registers_per_count * static_cast<int>(c.count)) return {};
    const layout::TmemRegisterPlace place =
        layout::tmem_register_place(c.shape, thread % 32, r, c.packs ? 2 : 1, static_cast<int>(c.split));
    return {.cluster_rank = 0,
            .tmem_lane = thread / 32 * 32 + static_cast<int>(c.lane) + place.lane,
            .tmem_column = static_cast<int>(c.column) + place.column};
  }

  static std::string instruction(const TmemAccessCase& c) {
    std::string text = c.is_store ? "tcgen05.st" : "tcgen05.ld";
    text += std::string(layout::tmem_shapes[c.shape].name) + ".x" + std::to_string(c.count);
    if (c.packs) text += c.is_store ? ".unpack::16b" : ".pack::16b";
    return text;
  }
};

}  // namespace

const Family& tmem_access_family() {
  static const TmemAccess family;
  return family;
}

namespace {

using params::TmemLdRedRecord;
static_assert(reduced_words == params::tmem_red_words &&
              register_reductions.size() == params::tmem_red_operations);

class TmemLdRed final : public PlainFamily<TmemLdRedCase, TmemLdRedRecord, suites::simpler> {
 public:
  std::string_view name() const override { return "tmem_ld_red"; }
  uint32_t output_bytes(const Case&) const override { return 128 * reduced_words * 4; }

  void complete(const TmemLdRedCase& c, const spec::Readings&, TmemLdRedRecord& r) const override {
    r.taddr = c.lane << 16 | c.column;
    r.opcode = forms::opcode_of(r);
  }

  uint64_t pace() const override { return 32; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const TmemLdRedCase& c = any.as<TmemLdRedCase>();
    thread_local std::vector<uint32_t> cells;
    cells.resize(size_t{model::tmem_lanes} * c.alloc_columns);
    pattern_words.range(c.d_fill, 0, cells);
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const std::span words(reinterpret_cast<uint32_t*>(bytes.data()), bytes.size() / 4);
    const model::Tcgen05MmaPrediction prediction = predict_tmem_ld_red(c, readings, cells, words);
    e.end = prediction.end;
    e.may_crash = false;
    e.judges_bytes = true;
    e.bytes = bytes;
    e.mask = {};
    e.rules = prediction.rules;
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const TmemLdRedCase& c = any.as<TmemLdRedCase>();
    std::vector<std::pair<std::string, std::string>> list{
        {"instruction", instruction_words(c)},
        {"address", "lane " + std::to_string(c.lane) + ", column " + std::to_string(c.column)}};
    tell(c, list);
    if (c.is_split) list.emplace_back("columns between halves", std::to_string(c.count));
    return list;
  }
  std::string brief(const Case& any) const override {
    return " " + instruction_words(any.as<TmemLdRedCase>());
  }
  std::string place(const Case&, uint64_t byte, uint8_t) const override {
    return byte / 4 % reduced_words == 128 ? "reduction" : "registers";
  }
  std::span<const model::Bend> bends() const override { return register_reduction_bends(); }
  OutputShape output_shape(const Case&) const override { return {4, 4 * reduced_words, 0, ""}; }
  ElementPlace element_place(const Case&, uint64_t byte) const override {
    const auto thread = static_cast<int>(byte / 4 / reduced_words);
    return {.cluster_rank = 0, .warp = thread / 32, .warp_lane = thread % 32};
  }
};

const Family& tmem_ld_red_family() {
  static const TmemLdRed family;
  return family;
}

uint32_t cell_of(const TmemLdRedCase& c) {
  return (c.is_split ? 1u : 0u) * static_cast<uint32_t>(register_reductions.size()) + c.operation;
}
CellSpace reduction_cells() {
  constexpr auto operations = static_cast<uint32_t>(register_reductions.size());
  return {"shape x operation", 2 * operations,
          [](uint32_t cell, spec::Arch) {
            return std::string(cell / operations != 0 ? ".16x32bx2" : ".32x32b") +
                   std::string(register_reductions[cell % operations].name);
          },
          [](spec::Arch) {
            std::vector<uint32_t> all;
            for (uint32_t cell = 0; cell < 2 * operations; ++cell) all.push_back(cell);
            return all;
          }};
}
void cover_reduction(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, cell_of(any.as<TmemLdRedCase>()));
}

std::optional<std::string> needs_reducing_loads(spec::Arch arch) {
  if (spec::row_of(arch).has_ld_red) return std::nullopt;
  return std::string(spec::name(arch)) + " has no tcgen05.ld.red";
}

const Registered reductions({
    .name = "tmem.ld.red",
    .claim =
        "tcgen05.ld.red returns the registers of tcgen05.ld and, in one more, the least or greatest of them",
    .family = tmem_ld_red_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_ld_red>,
    .spaces = {reduction_cells()},
    .cover = cover_reduction,
    .declines = needs_reducing_loads,
});

}  // namespace
}  // namespace assay::suites
