// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tmem/copy_cases.h"
#include "kernels/forms/records.h"
#include "kernels/params/tmem_ld_red.h"
#include "reference/model/case_json.h"
#include "reference/model/tmem/access.h"
#include "suites/failure/shrinking.h"
#include "suites/mma/pattern_words.h"
#include "suites/run/generate.h"
#include "suites/run/launch.h"
#include "suites/run/property.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

using params::TmemLdRedRecord;
static_assert(reduced_words == params::tmem_red_words &&
              register_reductions.size() == params::tmem_red_operations);

class TmemLdRed final : public Family {
 public:
  std::string_view name() const override { return "tmem_ld_red"; }
  size_t record_bytes() const override { return sizeof(TmemLdRedRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case&) const override { return 128 * reduced_words * 4; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const TmemLdRedCase& c = any.as<TmemLdRedCase>();
    TmemLdRedRecord r{};
    model::fields::copy_members(c, r);
    r.taddr = c.lane << 16 | c.column;
    r.output_bytes = output_bytes(any);
    r.output_offset = output_offset;
    r.opcode = forms::opcode_of(r);
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    return launch_of_record(record_from<TmemLdRedRecord>(bytes));
  }
  uint64_t pace() const override { return 32; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const TmemLdRedCase& c = any.as<TmemLdRedCase>();
    thread_local std::vector<uint32_t> cells;
    cells.resize(size_t{model::tmem_lanes} * c.alloc_columns);
    const params::OperandFill fill = operand_fill(c.d_fill);
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = params::operand_word(fill, i);
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

  nlohmann::json to_json(const Case& any) const override { return assay::to_json(any.as<TmemLdRedCase>()); }
  nlohmann::json schema() const override { return tmem_ld_red_case_schema(); }
  Case from_json(const nlohmann::json& json) const override { return tmem_ld_red_case_from_json(json); }
  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<TmemLdRedCase>(suites::shrink_tree, any, keep);
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
