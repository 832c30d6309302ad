// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/mma/cases.h"
#include "kernels/forms/records.h"
#include "reference/layout/tmem.h"
#include "reference/model/case_json.h"
#include "reference/model/mma/fields.h"
#include "reference/model/tmem/access.h"
#include "suites/failure/shrinking.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/family.h"
#include "suites/run/launch.h"
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

void fill(const OperandPattern& pattern, std::span<uint32_t> words) {
  const params::OperandFill fill = operand_fill(pattern);
  for (size_t i = 0; i < words.size(); ++i) words[i] = params::operand_word(fill, i);
}

class TmemAccess final : public Family {
 public:
  std::string_view name() const override { return "tmem_access"; }
  size_t record_bytes() const override { return sizeof(TmemAccessRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case& any) const override {
    const TmemAccessCase& c = any.as<TmemAccessCase>();
    return static_cast<uint32_t>((c.is_store ? cells_of(c) : register_count) * 4);
  }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const TmemAccessCase& c = any.as<TmemAccessCase>();
    TmemAccessRecord r{};
    model::fields::copy_members(c, r);
    r.taddr = c.lane << 16 | c.column;
    r.opcode = forms::opcode_of(r);
    r.one_address = static_cast<uint8_t>(c.same_address ? 1 + c.named_warp : 0);
    r.output_offset = output_offset;
    r.output_bytes = output_bytes(any);
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    return launch_of_record(record_from<TmemAccessRecord>(bytes));
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
      fill(c.register_fill, source);
      fill(c.d_fill, words);
      prediction = model::predict_tmem_store(c, readings, source, words,
                                             std::span(reinterpret_cast<uint32_t*>(mask.data()), count));
    } else {
      source.resize(cells_of(c));
      fill(c.d_fill, source);
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

  nlohmann::json to_json(const Case& any) const override { return model::to_json(any.as<TmemAccessCase>()); }
  nlohmann::json schema() const override { return model::case_schema<TmemAccessCase>(); }
  Case from_json(const nlohmann::json& json) const override {
    const TmemAccessCase c = model::tmem_access_case_from_json(json);
    if (!model::fits_rig(c))
      throw std::runtime_error("the case names no instruction of the probe, or leaves its allocation.");
    return c;
  }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<TmemAccessCase>(gen::shrink_tree, any, keep);
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

}  // namespace assay::suites
