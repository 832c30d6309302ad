// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/tensor_map/program_cases.h"
#include "kernels/forms/records.h"
#include "kernels/params/map_program.h"
#include "reference/model/tensor_map/case.h"
#include "reference/model/tensor_map/program_case.h"
#include "reference/model/tensor_map/program_model.h"
#include "suites/run/bytes.h"
#include "suites/run/family_of.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/words.h"
#include "suites/tensor_map/encode_family.h"

namespace assay::suites {
namespace {

using params::MapProgramRecord;

static_assert(are_same_enumerators<MapOp, params::MapCommand, params::map_commands>() &&
              are_same_enumerators<MapInstruction, params::MapInstruction, params::map_instructions>() &&
              are_same_enumerators<MapMemory, params::MapSpace, 3>() &&
              params::most_map_steps == MapProgramCase::most_steps &&
              params::most_map_uses == MapProgramCase::most_uses);

class MapProgram final : public PlainFamily<MapProgramCase, MapProgramRecord, gen::simpler> {
 public:
  std::string_view name() const override { return "map_program"; }
  uint32_t output_bytes(const Case& any) const override {
    const MapProgramCase& c = any.as<MapProgramCase>();
    return model::output_bytes_of(c);
  }
  uint32_t batch_key(const Case& any) const override {
    return static_cast<uint32_t>(any.as<MapProgramCase>().memory);
  }

  void complete(const MapProgramCase& c, const spec::Readings& defaults, MapProgramRecord& r) const override {
    r.steps = c.steps;
    r.uses = c.uses;
    model::fields::copy_members(
        c.start == MapStart::driver ? static_cast<const TensorMapArgs&>(c.map) : some_map(), r.map);
    r.flags = (c.start != MapStart::driver ? params::map_from_words : 0u) |
              (c.in_shared ? params::map_in_shared : 0u) | (c.is_absolute ? params::map_is_absolute : 0u);
    r.shared_map = shared_map_of(c);
    r.space = static_cast<params::MapSpace>(c.memory);
    if (c.slot_bytes != 0) {
      r.slot_at = model::slot_at(c);
      r.map.global_address += r.slot_at;
    }
    if (c.start != MapStart::driver) {
      const spec::TensorMapBytes start = model::start_of(c, defaults);
      std::memcpy(r.words, start.data(), start.size());
    }
    model::MapMachine machine(c, defaults);
    spec::RuleSet rules;
    uint32_t use = 0;
    for (uint32_t i = 0; i < c.steps; ++i) {
      const MapStep& s = c.step[i];
      r.step[i] = {static_cast<params::MapCommand>(s.op), s.ordinal, s.scope, 0, 0, s.value};
      r.step[i].opcode = forms::opcode_of(r.step[i]);
      if (s.is(MapOp::use)) {
        const MapUse& u = c.use[use];
        params::MapUse& to = r.use[use];
        std::copy(u.coord.begin(), u.coord.end(), to.coord);
        std::copy(u.offset.begin(), u.offset.end(), to.offset);
        to.rank = u.rank;
        to.instruction = static_cast<params::MapInstruction>(u.instruction);
        to.is_of_other = u.is_of_other;
        to.opcode = forms::opcode_of(to);
        // Whichever of its maps the copy acts by: they move as many bytes.
        to.expect_tx = model::armed_bytes(c, u, machine.may_be_found()[0], defaults);
        if (to.expect_tx == 0 && u.is_load()) to.expect_tx = model::armed_for_a_rival(c, i, use, defaults);
        ++use;
      }
      machine.step(rules);
    }
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    const auto r = record_from<MapProgramRecord>(bytes);
    if (r.space != params::MapSpace::global) return std::nullopt;  // the launch has a table of maps
    Launch launch = launch_of_record(r);
    launch.host_text = std::string(tiled_encode_map()) +
#include "suites/tensor_map/program_host.inc"
        ;
    return launch;
  }
  uint64_t pace() const override {
    return 64;
  }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const MapProgramCase& c = any.as<MapProgramCase>();
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const std::span<std::byte> mask = scratch.take(scratch.mask, bytes.size());
    const model::MapProgramPrediction made = model::predict_map_program(c, readings, arena(), bytes, mask);
    e = {};
    e.end = made.end;
    e.judges_bytes = made.end == model::End::done;
    e.bytes = bytes;
    e.mask = mask;
    e.rules = made.rules;
  }

  /// A load that may find one of several maps is what one of them makes it.
  bool same(const Case& any, const spec::Readings& readings, const Expected& e,
            std::span<const std::byte> output) const override {
    const MapProgramCase& c = any.as<MapProgramCase>();
    return equal_where_defined(e.bytes, output, e.mask) &&
           find_choices(c, readings, output,
                        [](const Choice& choice) { return choice.which != Choice::none; });
  }

  std::string_view remark(const Case& any, const spec::Readings& readings, const Expected& e,
                          const RecordEnd&, std::span<const std::byte> output) const override {
    const MapProgramCase& c = any.as<MapProgramCase>();
    if (!e.judges_bytes) return {};
    const bool all_new = find_choices(
        c, readings, output, [](const Choice& choice) { return choice.which == 0 || choice.is_alike; });
    return all_new
               ? std::string_view()
               : "a map that was changed without an acquire of its address was used with its old contents";
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    return map_program_fields(any.as<MapProgramCase>());
  }
  std::string brief(const Case& any) const override {
    const MapProgramCase& c = any.as<MapProgramCase>();
    return " " + std::to_string(c.steps) + (c.steps == 1 ? " step" : " steps") +
           (c.memory != MapMemory::global
                ? " map in ." + std::string(map_memory_names[static_cast<size_t>(c.memory)])
            : c.in_shared ? " map in shared memory"
                          : " map in global memory");
  }
  std::string place(const Case& any, uint64_t byte, uint8_t wrong) const override {
    return place_in_map_program(any.as<MapProgramCase>(), byte, wrong);
  }
  std::span<const model::Bend> bends() const override {
    return model::map_replace_bends();
  }
  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    return diagnose_map_program(any.as<MapProgramCase>(), expected, observed, byte);
  }

 private:
  /// For a program that begins with other bits: the driver has something to encode all the same.
  static TensorMapArgs some_map() {
    TensorMapArgs map;
    map.rank = 1;
    map.global_dim.fill(64);
    map.box_dim.fill(16);
    map.element_stride.fill(1);
    return map;
  }
  /// Which of the maps that a load may find explains its window: 0 what memory held, or `none`.
  struct Choice {
    static constexpr size_t none = ~size_t{0};
    size_t which = none;
    bool is_alike = false;  ///< all of them give this window
  };
  /// Whether what `holds` says is true of each load that has a choice.
  static bool find_choices(const MapProgramCase& c, const spec::Readings& readings,
                           std::span<const std::byte> output, bool (*holds)(const Choice&)) {
    model::MapMachine machine(c, readings);
    spec::RuleSet rules;
    uint32_t use = 0;
    const size_t windows = params::map_area_bytes + size_t{128} * c.steps;
    for (; !machine.is_over(); machine.step(rules)) {
      if (!c.step[machine.at()].is(MapOp::use)) continue;
      const uint32_t number = use++;
      if (machine.may_be_found().size() == 1) continue;
      const auto seen = output.subspan(windows + size_t{number} * c.window_bytes, c.window_bytes);
      const auto allowed = model::allowed_windows(machine, c, number, readings, arena());
      Choice choice;
      choice.is_alike = true;
      for (size_t i = allowed.size(); i-- > 0;) {
        choice.is_alike &= allowed[i].bytes == allowed[0].bytes;
        if (equal_where_defined(allowed[i].bytes, seen, allowed[i].defined)) choice.which = i;
      }
      if (!holds(choice)) return false;
    }
    return true;
  }
};

}  // namespace

const Family& map_program_family() {
  static const MapProgram family;
  return family;
}

}  // namespace assay::suites
