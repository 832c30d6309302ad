// SPDX-License-Identifier: Apache-2.0
#include "suites/assembler/case.h"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "kernels/forms/expand.h"
#include "kernels/params/assembler.h"
#include "reference/spec/rules.h"

namespace assay::suites {
namespace {

bool is_taken(const AssemblerCase& c, spec::Arch arch) {
  return forms::spellings(c.table).legality(c.number, forms::target_of(arch)) != forms::Legality::illegal;
}

/// The nth of `count` in an order that depends on the seed. Neighbours in a table are alike: a step near the
/// golden section takes one from everywhere.
uint64_t mixed(uint64_t nth, uint64_t count, uint64_t seed) {
  uint64_t step = count * 618 / 1000 | 1;
  while (std::gcd(step, count) != 1) step += 2;
  return (nth * (step % count) + seed % count) % count;
}

}  // namespace

nlohmann::json to_json(const AssemblerCase& c) {
  const forms::Spellings& all = forms::spellings(c.table);
  return {{"family", all.table().family->name}, {"choices", all.choices(c.number)}};
}

nlohmann::json assembler_case_schema() {
  return {
      {"type", "object"},
      {"properties",
       {{"family", {{"type", "string"}}}, {"choices", {{"type", "array"}, {"items", {{"type", "string"}}}}}}},
      {"required", {"family", "choices"}}};
}

AssemblerCase assembler_case_from_json(const nlohmann::json& json) {
  const auto family = json.find("family"), choices = json.find("choices");
  if (family == json.end() || !family->is_string() || choices == json.end() || !choices->is_array())
    throw std::runtime_error("a spelling is a family and its choices");
  const std::string name = family->get<std::string>();
  const auto table = forms::find_spelling_table(name);
  if (!table) throw std::runtime_error("there is no family of spellings '" + name + "'");
  std::vector<std::string> texts;
  for (const nlohmann::json& choice : *choices) {
    if (!choice.is_string()) throw std::runtime_error("the choices of a spelling are texts");
    texts.push_back(choice.get<std::string>());
  }
  const auto number = forms::spellings(*table).find(texts);
  if (!number) throw std::runtime_error("the family '" + name + "' has no spelling with these choices");
  return {*table, *number};
}

const std::vector<AssemblerCase>& asked_by(std::string_view property, spec::Arch arch) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, spec::Arch>, std::vector<AssemblerCase>> made;
  const std::scoped_lock lock(mutex);
  const auto [entry, is_new] = made.try_emplace({std::string(property), arch});
  if (!is_new) return entry->second;
  const std::span<const forms::SpellingTable> tables = forms::spelling_tables();
  for (uint32_t table = 0; table < tables.size(); ++table)
    if (tables[table].property == property)
      for (const uint32_t number : forms::spellings(table).asked(forms::target_of(arch)))
        entry->second.push_back({table, number});
  std::stable_partition(entry->second.begin(), entry->second.end(),
                        [&](const AssemblerCase& c) { return is_taken(c, arch); });
  return entry->second;
}

AssemblerCase asked_at(std::string_view property, spec::Arch arch, uint64_t seed, uint64_t index) {
  const std::vector<AssemblerCase>& all = asked_by(property, arch);
  const auto refused =
      std::partition_point(all.begin(), all.end(), [&](const AssemblerCase& c) { return is_taken(c, arch); });
  const auto taken_count = static_cast<uint64_t>(refused - all.begin());
  const uint64_t count = all.size(), refused_count = count - taken_count;
  const uint64_t shorter = std::min(taken_count, refused_count), i = index % count;
  const bool takes = i < 2 * shorter ? i % 2 == 0 : taken_count > refused_count;
  const uint64_t nth = i < 2 * shorter ? i / 2 : i - shorter;
  return takes ? all[mixed(nth, taken_count, seed)] : all[taken_count + mixed(nth, refused_count, seed)];
}

namespace {

using forms::Legality;
using params::AssemblerRecord;

constexpr uint32_t answer_bytes = params::assembler_answer_bytes;

class Assembler final : public Family {
 public:
  Assembler(std::string_view name, uint64_t pace) : name_(name), pace_(pace) {}

  std::string_view name() const override { return name_; }
  bool asks_compiler() const override { return true; }
  bool is_unanswered(std::span<const std::byte> output) const override {
    return output.size() == answer_bytes && static_cast<uint8_t>(output[0]) == params::not_assembled;
  }
  size_t record_bytes() const override { return sizeof(AssemblerRecord); }
  uint32_t output_alignment() const override { return 256; }
  uint32_t output_bytes(const Case&) const override { return answer_bytes; }

  void write_record(const Case& any, uint64_t output_offset, const spec::Readings& readings,
                    std::byte* record) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    const AssemblerRecord r{.table = c.table,
                            .number = c.number,
                            .target = forms::target_of(readings.arch()),
                            .reserved = 0,
                            .output_offset = output_offset,
                            .output_bytes = answer_bytes,
                            .reserved1 = 0};
    std::memcpy(record, &r, sizeof r);
  }

  /// An assembler is asked by the process that owns the device: nothing is launched.
  std::optional<Launch> launch(std::span<const std::byte>) const override { return std::nullopt; }
  uint64_t pace() const override { return pace_; }

  void predict(const Case& any, const spec::Readings& readings, Scratch& scratch,
               Expected& e) const override {
    const Legality legality = legality_of(any, readings.arch());
    const std::span<std::byte> bytes = scratch.take(scratch.bytes, answer_bytes);
    const std::span<std::byte> mask = scratch.take(scratch.mask, answer_bytes);
    std::memset(bytes.data(), 0, bytes.size());
    std::memset(mask.data(), 0, mask.size());
    bytes[0] = std::byte{legality == Legality::legal};
    // Of an open spelling nothing is demanded.
    if (legality != Legality::open) std::memset(mask.data(), 0xff, mask.size());
    e = {};
    e.rules.set(legality == Legality::legal     ? spec::rule("ASM-R01")
                : legality == Legality::illegal ? spec::rule("ASM-R02")
                                                : spec::rule("ASM-R03"));
    e.judges_bytes = true;
    e.bytes = bytes;
    e.mask = mask;
  }

  /// What no document settles is told, whatever it is.
  std::string_view remark(const Case&, const spec::Readings&, const Expected& e, const RecordEnd& end,
                          std::span<const std::byte> output) const override {
    if (end.ended != Ended::done || e.mask.empty() || e.mask[0] != std::byte{0}) return {};
    return output[0] != std::byte{0} ? "takes spellings that the documents do not have or do not settle"
                                     : "refuses spellings that the documents do not have or do not settle";
  }

  std::vector<std::pair<std::string, std::string>> fields(const Case& any) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    const forms::Spellings& all = forms::spellings(c.table);
    std::vector<std::pair<std::string, std::string>> list{{"spelling", all.instruction(c.number)},
                                                          {"of", std::string(all.table().citation)}};
    const std::vector<std::string> choices = all.choices(c.number);
    for (size_t axis = 0; axis < choices.size(); ++axis)
      list.emplace_back(std::string(all.table().family->axes[axis].name),
                        choices[axis].empty() ? "(nothing)" : choices[axis]);
    return list;
  }
  std::string brief(const Case& any) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    return " " + forms::spellings(c.table).instruction(c.number);
  }
  OutputShape output_shape(const Case&) const override { return {4, 4}; }

  Diagnosis diagnose(const Case& any, const spec::Readings&, const ExpectedOutput& expected,
                     std::span<const uint8_t> observed, uint64_t) const override {
    const AssemblerCase& c = any.as<AssemblerCase>();
    const forms::Spellings& all = forms::spellings(c.table);
    // Of several in ASSAY_PTXAS: byte 1 has a bit for each that takes it.
    if (observed.size() == answer_bytes && observed[0] == params::assemblers_disagree)
      return {
          "the assemblers disagree: one of them " +
              std::string(expected.bytes[0] != 0 ? "refuses a legal spelling" : "takes an illegal spelling"),
          {all.instruction(c.number), "of those in ASSAY_PTXAS, from the right, 1 takes it: " +
                                          std::bitset<8>(observed[1]).to_string()}};
    return {expected.bytes[0] != 0 ? "a legal spelling is refused" : "an illegal spelling is taken",
            {all.instruction(c.number), "by " + std::string(all.table().citation)}};
  }

  nlohmann::json to_json(const Case& any) const override { return suites::to_json(any.as<AssemblerCase>()); }
  nlohmann::json schema() const override { return assembler_case_schema(); }
  Case from_json(const nlohmann::json& json) const override { return assembler_case_from_json(json); }
  /// Each spelling is as small as any.
  std::vector<Case> simpler(const Case&) const override { return {}; }

 private:
  static Legality legality_of(const Case& any, spec::Arch arch) {
    const AssemblerCase& c = any.as<AssemblerCase>();
    return forms::spellings(c.table).legality(c.number, forms::target_of(arch));
  }

  std::string_view name_;
  uint64_t pace_;
};

}  // namespace

const Family& assembler_ptxas_family() {
  static const Assembler family("assembler_ptxas", 512);
  return family;
}
const Family& assembler_driver_family() {
  static const Assembler family("assembler_driver", 256);
  return family;
}

}  // namespace assay::suites
