// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/sequence.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/barrier/sequence_cases.h"
#include "kernels/forms/records.h"
#include "reference/model/barrier/sequence.h"
#include "reference/model/barrier/sequence_fields.h"
#include "reference/model/tmem/forms.h"
#include "suites/barrier/sequence_family.h"
#include "suites/barrier/sequence_words.h"
#include "suites/failure/shrink_case.h"
#include "suites/run/family.h"
#include "suites/run/record_launch.h"
#include "suites/run/same_enumerators.h"
#include "suites/run/told.h"

namespace assay::suites {
namespace {

using params::SequenceRecord;

static_assert(are_same_enumerators<BarrierOp, params::BarrierCommand, params::barrier_commands>() &&
              are_same_enumerators<TmemOp, params::TmemCommand, params::tmem_commands>());
static_assert(params::bystander_arrivals == bystander_arrivals &&
              static_cast<uint32_t>(params::copies_complete) == idle_copies_ways - 1);

/// Words of a step's answer.
uint32_t answer_words(const SequenceCase& c) {
  return c.machine == SequenceMachine::barriers ? 2 : 128;
}

/// Programs for the command-stream kernels: of mbarriers, and of tensor memory.
class Sequence final : public Family {
 public:
  std::string_view name() const override { return "sequence"; }
  size_t record_bytes() const override { return sizeof(SequenceRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case& any) const override {
    return model::output_words(any.as<SequenceCase>().machine) * 4;
  }
  uint32_t batch_key(const Case& any) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    return c.needs_cluster() ? c.cluster_size << 8 : c.warps * 4 + static_cast<uint32_t>(c.machine);
  }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings&,
                    std::byte* record) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    SequenceRecord r{};
    model::fields::copy_members(c, r);
    r.count = c.count;
    r.is_tmem = c.machine == SequenceMachine::tensor_memory ? 1 : 0;
    r.output_offset = output_offset;
    r.output_bytes = output_bytes(any);
    r.cluster_size = c.needs_cluster() ? c.cluster_size : 1;
    if (!r.is_tmem && !c.needs_cluster()) r.issuer = 0;
    r.has_bystanders = c.needs_cluster() && c.has_bystanders;
    r.is_found = c.is_found;
    for (uint32_t i = 0; i < c.count; ++i) {
      r.commands[i] = {static_cast<uint8_t>(c.steps[i].op), static_cast<uint8_t>(c.steps[i].target),
                       static_cast<uint16_t>(c.steps[i].column), c.steps[i].amount};
      r.lanes[i] = c.steps[i].lanes;
      if (c.steps[i].is_generic) r.generic |= 1u << i;
      r.idle_copies |= uint64_t{c.steps[i].idle_copies} << 2 * i;
      r.apart |= uint64_t{c.steps[i].apart} << 2 * i;
      if (!r.is_tmem)
        r.opcode[i] = static_cast<uint16_t>(
            forms::opcode_of(r.commands[i], c.steps[i].is_generic, c.steps[i].spelling));
    }
    std::memcpy(record, &r, sizeof r);
  }

  std::optional<Launch> launch(std::span<const std::byte> bytes) const override {
    return launch_of_record(record_from<SequenceRecord>(bytes));
  }
  uint64_t pace() const override { return 32; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, output_bytes(any));
    const std::span<std::byte> mask = scratch.take(scratch.mask, bytes.size());
    const auto words = [](std::span<std::byte> of) {
      return std::span(reinterpret_cast<uint32_t*>(of.data()), of.size() / 4);
    };
    e = {};
    const SequenceCase& c = any.as<SequenceCase>();
    e.end = model::predict_sequence(c, readings, words(bytes), words(mask));
    e.judges_bytes = e.end == model::End::done;
    e.bytes = bytes;
    if (c.machine == SequenceMachine::barriers) e.mask = mask;
    if (e.end != model::End::undefined) e.rules = model::exercised_sequence_rules(c);
  }
  std::span<const model::Bend> bends() const override { return model::sequence_bends(); }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    std::vector<std::pair<std::string, std::string>> list;
    if (c.warps != tmem_warps)
      list.emplace_back("run by", "the last 4 of " + std::to_string(c.warps) + " warps");
    if (c.needs_cluster())
      list.emplace_back("cluster", std::to_string(c.cluster_size) + ", the barriers in CTA " +
                                       std::to_string(c.issuer) +
                                       (c.has_bystanders ? ", and others in all CTAs" : ""));
    else if (c.issuer != 0)
      list.emplace_back("issued by", "thread " + std::to_string(c.issuer) + " of those that run it");
    if (c.is_found) list.emplace_back("barrier 0", "no mbarrier.init: ordinary stores wrote the word");
    tell(c, list);
    for (uint32_t i = 0; i < c.count; ++i)
      list.emplace_back("step " + std::to_string(i), model::step_words(c.machine, c.steps[i]));
    return list;
  }
  std::string brief(const Case& any) const override {
    return " " + std::to_string(any.as<SequenceCase>().count) + " steps";
  }
  std::string place(const Case& any, uint64_t byte, uint8_t) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    const auto step = static_cast<uint32_t>(byte / 4 / answer_words(c));
    if (step >= c.count) return "what is left";
    const std::string words = model::step_words(c.machine, c.steps[step]);
    return words.substr(0, words.find(' '));
  }

  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t byte) const override {
    return diagnose_sequence(any.as<SequenceCase>(), expected.bytes, observed, byte);
  }

  /// A thread of the tensor-memory machine mostly loads from its own lane; an answer about a barrier comes
  /// from where it lies, eight bytes each from the start of the kernel's shared memory.
  PlaceOfByte element_places(const Case& any) const override {
    const SequenceCase& c = any.as<SequenceCase>();
    if (c.machine == SequenceMachine::barriers)
      return [&c](uint64_t byte) -> ElementPlace {
        const auto word = static_cast<uint32_t>(byte / 4), step = word / answer_words(c);
        const uint32_t barrier =
            step < c.count ? c.steps[step].target : word - answer_words(c) * params::most_commands;
        if (barrier >= params::sequence_targets) return {};
        return {.cluster_rank = 0, .shared_address = int64_t{8} * barrier};
      };
    return [&c](uint64_t byte) -> ElementPlace {
      const auto step = static_cast<uint32_t>(byte / 4 / answer_words(c));
      // Other shapes give a thread cells of several lanes.
      if (step < c.count && model::has_other_shape(c.steps[step])) return {.cluster_rank = 0};
      return {.cluster_rank = 0, .tmem_lane = static_cast<int>(byte / 4 % 128)};
    };
  }

  nlohmann::json to_json(const Case& any) const override { return model::to_json(any.as<SequenceCase>()); }
  nlohmann::json schema() const override { return model::sequence_schema(); }
  Case from_json(const nlohmann::json& json) const override { return model::sequence_case_from_json(json); }

  rc::Shrinkable<Case> shrink_tree(const Case& any, std::function<bool(const Case&)> keep) const override {
    return shrink_tree_of<SequenceCase>(gen::shrink_tree, any, keep);
  }
};

}  // namespace

const Family& sequence_family() {
  static const Sequence family;
  return family;
}

}  // namespace assay::suites
